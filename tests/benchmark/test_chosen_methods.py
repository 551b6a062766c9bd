"""Methods by name and wildcard; those that cannot take part are left out with a reason, or an error if they were named."""

import pytest
from actalike.benchmark.participants import choose_names, make_methods

from actalike import ActalikeError, method_names
from actalike.methods import make_method


def without_kin(method):
    return "is kin" if method.family == "kin" else None


def test_without_a_choice_all_methods_that_count_take_part():
    counting = [name for name in method_names() if make_method(name).takes == "counts"]
    assert choose_names(None, lambda method: None) == counting
    assert choose_names(None, without_kin) == [name for name in counting if not name.startswith("kin-")]


def test_a_wildcard_leaves_out_and_names_what_cannot_take_part():
    warnings = []
    chosen = choose_names(["kin-*", "one-hot", "one*", "kin-w7"], without_kin, warnings.append)
    assert chosen == ["one-hot", "kin-w7"]
    assert warnings == [f"kin-w{n} is left out: it is kin." for n in (3, 5, 9)]
    with pytest.raises(ActalikeError, match="kin-w7"):
        make_methods(chosen, without_kin)
    with pytest.raises(ActalikeError, match="match"):
        choose_names(["kin-*"], without_kin)
    with pytest.raises(ActalikeError, match="No method matches 'zz"):
        choose_names(["zz*"], without_kin)


def test_a_name_without_its_window_is_that_of_the_default_window():
    assert choose_names(["kin", "kin-w5", "aa-sequence-pmi+svd8"], lambda method: None) == ["kin-w5", "aa-sequence-pmi-w3+svd8"]
