"""The command methods: the names that ``--method`` takes."""

from actalike.cli.console import print_json
from actalike.cli.sources import JsonOption
from actalike.methods import DEFAULT_METHOD, make_method, method_names, missing_extra


def methods(as_json: JsonOption = False) -> None:
    """List the methods by name.

    Any other window may stand in place of w3, w5, w9. Without a window, a name stands for the method with its default window:
    kin for kin-w5.

    The methods ac-, aa- and positional- can be refined by any of +shift5 +smooth0.75 +svd50 +power0.5 after the window, in this
    order: ac-sequence-ppmi-w5+shift5+svd50.

    Example: actalike methods
    """
    names = method_names()
    missing = {name: remedy for name in names if (remedy := missing_extra(make_method(name)))}
    if as_json:
        print_json({"schema": "actalike/methods/1", "default": DEFAULT_METHOD, "methods": names, "missing": missing})
        return
    for name in names:
        remark = "default" if name == DEFAULT_METHOD else missing.get(name)
        print(f"{name}  ({remark})" if remark else name)
