"""Say what a result file holds, as types of msgspec: a damaged one is refused where it is read, not where it is used."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from actalike.support.saved import json_fault

Schema = Any  # a type that msgspec converts to

TEXT: Schema = Annotated[str, msgspec.Meta(pattern="^[^\ud800-\udfff]*$")]
COUNT: Schema = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
NUMBER: Schema = Annotated[float, msgspec.Meta(ge=-1e100, le=1e100)]  # sums and squares of such numbers are finite
NUMBER_OR_NULL: Schema = NUMBER | None
_SHARE: Schema = Annotated[float, msgspec.Meta(ge=0, le=1)]
SHARE_OR_NULL: Schema = _SHARE | None
TEXTS: Schema = list[TEXT]
LIST_OF_COUNTS: Schema = list[COUNT]
_AMOUNT: Schema = Annotated[float, msgspec.Meta(ge=0, le=2**53)]
TALLY: Schema = list[tuple[_SHARE, _AMOUNT, _AMOUNT]]  # of probabilities: how many answers have each, how many of them are right


def violation(content: Any, schema: Schema) -> str | None:
    """Return what is wrong with a content, None if it is as the schema says.

    >>> violation({"log": "a"}, record(log=TEXT)), violation({"log": 1}, record(log=TEXT))
    (None, 'Expected `str`, got `int` - at `$.log`')
    """
    try:
        msgspec.convert(content, schema)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:  # the second is of half a character
        return json_fault(error)
    return None


def record(**properties: Schema) -> Schema:
    """Return the schema of an object that has at least these keys.

    >>> violation({"more": 1}, record(log=TEXT))
    'Object missing required field `log`'
    """
    return structure(properties)


def structure(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, only: bool = False) -> Schema:
    """Return the schema of an object that has these keys, may have others, and ``only`` these if asked for."""
    return _structure(required, optional or {}, only, {})


def by_name(value: Schema) -> Schema:
    """Return the schema of an object whose keys are names of any kind, each with such a value."""
    return dict[TEXT, value]


def items(kind: Schema, least: int = 0) -> Schema:
    """Return the schema of a list."""
    return Annotated[list[kind], msgspec.Meta(min_length=least)]


def row(*kinds: Schema) -> Schema:
    """Return the schema of a list with one value of each of these."""
    return tuple[kinds]  # type: ignore[valid-type]


def one_of(*values: str) -> Schema:
    """Return the schema of a text that is one of these."""
    return Literal[values]


def figures_or_error(
    figures: Mapping[str, Schema], error: Mapping[str, Schema], others: Mapping[str, Schema] | None = None, **common: Schema
) -> Schema:
    """Return the schema of an object with what all results have, and either figures or an error; it may have ``others``."""

    def check(self: Any) -> None:
        present = msgspec.structs.asdict(self)
        missing = [key for key in figures if present[key] is msgspec.UNSET]
        if missing and any(present[key] is msgspec.UNSET for key in error):
            raise ValueError(f"it has no {missing[0]!r}")

    return _structure(common, {**figures, **error, **(others or {})}, False, {"__post_init__": check})


def keys(schema: Schema) -> Iterable[str]:
    """Return the keys that a schema requires, in their order."""
    return [field.encode_name for field in msgspec.structs.fields(schema) if field.required]


def _structure(required: Mapping[str, Schema], optional: Mapping[str, Schema], only: bool, methods: dict[str, Any]) -> Schema:
    fields: list[Any] = [*required.items(), *((key, kind | msgspec.UnsetType, msgspec.UNSET) for key, kind in optional.items())]
    return msgspec.defstruct("Result", fields, namespace=methods, forbid_unknown_fields=only, kw_only=True)
