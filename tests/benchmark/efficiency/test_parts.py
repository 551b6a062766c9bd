"""What the efficiency benchmark measures: parts of the same work, sizes, memory, the paper's figures."""

import numpy as np
import pytest
from hypothesis import given

from actalike import embed, method_names
from actalike.benchmark.efficiency.parts import DISTANCES, ITEMS, call_by_parts, has_parts, timed_round, whole_call
from actalike.demo.loan_desk import loan_desk
from actalike.methods import CountEmbedder, missing_extra
from actalike.methods.registry import make_method
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

QUICK = [name for name in method_names() if make_method(name).takes == "counts" and name != "label-text"]


REFINED = ["aa-sequence-pmi-w3+svd2", "positional-ppmi-w5+shift2+smooth0.75"]


@pytest.mark.parametrize("name", [*QUICK, *REFINED])
@examples(6)
@given(log=logs())
def test_the_parts_are_the_whole_work(name, log):
    whole = whole_call(make_method(name), log)
    assert has_parts(make_method(name)) == (name != "one-hot")
    assert np.array_equal(whole.distances, embed(log, name).distances())
    if has_parts(make_method(name)):
        parts = call_by_parts(make_method(name), log)
        assert np.array_equal(parts.distances, whole.distances)
        assert list(parts.laps.seconds) == [*make_method(name).parts, DISTANCES]
        assert set(parts.laps.seconds) <= set(ITEMS)


def test_a_child_with_a_fit_of_its_own_is_timed_whole():
    class Child(CountEmbedder):
        def fit(self, log):
            return super().fit(log)

    assert has_parts(CountEmbedder())
    assert not has_parts(Child())
    assert list(timed_round("child", Child(), lambda: loan_desk(20)).items) == ["fit", "distances"]


def test_process_structure_by_parts_is_the_same():
    if reason := missing_extra(make_method("process-structure")):
        pytest.skip(reason)
    log = loan_desk(30)
    for name in ("process-structure", "process-structure-fixed"):
        assert np.array_equal(call_by_parts(make_method(name), log).distances, embed(log, name).distances())
