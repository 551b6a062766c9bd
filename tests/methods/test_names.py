"""Names of methods, and the parameters in them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, UnknownMethodError, make_method
from actalike.methods.names import MethodName, by_number

BASES = ["ac-sequence", "ac-multiset", "aa-sequence", "aa-multiset", "positional"]


@given(
    base=st.sampled_from(BASES), weighting=st.sampled_from(["pmi", "ppmi"]), window=st.integers(1, 50), shift=st.floats(1, 1e6),
    smoothing=st.floats(0, 1, exclude_min=True), dimension=st.none() | st.integers(1, 10**6), exponent=st.floats(0, 1),
)  # fmt: skip
def test_names_tell_the_parameters_and_back(base, weighting, window, shift, smoothing, dimension, exponent):
    refinements = {"shift": shift, "smoothing": smoothing, "dimension": dimension, "exponent": abs(exponent)}
    embedder = make_method(f"{base}-{weighting}-w{window}").set_params(**refinements)
    again = make_method(embedder.name)
    assert again.get_params() == embedder.get_params()
    assert again.name == embedder.name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("aa-sequnce-pmi-w3+shift5", "Did you mean 'aa-sequence-pmi-w3'"),
        ("aa-sequence-pmi-w3+", "has '+', where only"),
        ("aa-sequence-pmi-w3+shfit5", "has '+shfit5', where only"),
        ("aa-sequence-pmi-w3+shift", "has '+shift', where only"),
        ("aa-sequence-pmi-w3+shift-5", "has '+shift-5', where only"),
        ("aa-sequence-pmi-w3+smoothing0.75", "has '+smoothing0.75', where only"),
        ("aa-sequence-pmi-w3+svd5\n", r"has '+svd5\n', where only"),
        ("aa-sequence-pmi-w3+svd٣", "where only"),
        ("aa-sequence-pmi+shift5-w3", "has '+shift5-w3', where only"),
        ("aa-sequence-pmi-w3+svd50+shift5", "it is 'aa-sequence-pmi-w3+shift5+svd50'"),
        ("aa-sequence-pmi-w3+shift5.0", "it is 'aa-sequence-pmi-w3+shift5'"),
        ("aa-sequence-pmi-w3+shift1", "it is 'aa-sequence-pmi-w3'"),
        ("aa-sequence-pmi-w3+shift5+shift5", "it is 'aa-sequence-pmi-w3+shift5'"),
        ("aa-sequence-pmi-w3+shift0.5", "shift=0.5 is not a number from 1 to 1,000,000"),
        ("aa-sequence-pmi-w3+smooth0", "smoothing=0 is not a number above 0"),
        ("aa-sequence-pmi-w3+smooth2", "smoothing=2 is not"),
        ("aa-sequence-pmi-w3+svd0", "dimension=0 is not a whole number"),
        ("aa-sequence-pmi-w3+svd1.5", "dimension=1.5 is not a whole number"),
        ("aa-sequence-pmi-w3+power2", "exponent=2 is not a number from 0 to 1"),
        ("aa-sequence-raw-w3+shift5", "shift=5 is for the weightings pmi and ppmi, not for raw"),
        ("positional-hellinger-w3+smooth0.5", "smoothing=0.5 is for the weightings pmi and ppmi, not for hellinger"),
        ("kin-w5+shift5", "kin-w5 has no switch +shift"),
        ("one-hot+svd5", "one-hot has no switch +svd"),
    ],
)  # fmt: skip
def test_a_wrong_name_is_an_error_in_one_sentence(name, said):
    with pytest.raises(ActalikeError, match=re.escape(said)) as caught:
        make_method(name)
    if "=" not in said:
        assert isinstance(caught.value, UnknownMethodError)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("kin-w5", ("kin", "w", 5, "")),
        ("act2vec-cbow-span11", ("act2vec-cbow", "span", 11, "")),
        ("aa-sequence-pmi-w3+shift5+svd16", ("aa-sequence-pmi", "w", 3, "+shift5+svd16")),
        ("aa-sequence-pmi+svd16", ("aa-sequence-pmi", "", None, "+svd16")),
        ("kin-w3-w5", ("kin-w3", "w", 5, "")),
        ("kin-w9999", ("kin", "w", 9999, "")),
        ("kin-w10000", ("kin-w10000", "", None, "")),
        ("kin-w0", ("kin-w0", "", None, "")),
        ("kin-w05", ("kin-w05", "", None, "")),
        ("kin-w5\n", ("kin-w5\n", "", None, "")),
        ("w3", ("w3", "", None, "")),
        ("", ("", "", None, "")),
    ],
)
def test_a_name_has_a_stem_a_window_and_refinements(name, parts):
    assert MethodName.parse(name) == parts


@pytest.mark.parametrize(
    ("name", "pattern", "without_window"),
    [
        ("kin-w5", "kin-w{n}", "kin"),
        ("act2vec-cbow-span3", "act2vec-cbow-span{n}", "act2vec-cbow"),
        ("aa-sequence-pmi-w3+svd16", "aa-sequence-pmi-w{n}", "aa-sequence-pmi+svd16"),
        ("one-hot", "one-hot", "one-hot"),
    ],
)
def test_methods_that_differ_in_the_window_have_the_same_pattern(name, pattern, without_window):
    assert (MethodName.parse(name).pattern, MethodName.parse(name).without_window) == (pattern, without_window)


def test_names_are_sorted_by_their_numbers():
    names = ["a-w9", "a-w11", "a-w11+svd8", "a-w11+svd16", "b-w3", "b10-w3"]
    assert sorted(sorted(names), key=by_number) == names
