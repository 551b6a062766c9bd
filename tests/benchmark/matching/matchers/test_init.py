"""The matchers of the specification have its figures on a real log, from the first half to the second."""

import pytest

from actalike.benchmark.matching.halves import halves_by_time
from actalike.benchmark.matching.matchers import MATCHERS
from actalike.benchmark.matching.metrics import assign, partner_scores
from actalike.benchmark.matching.truth import partner_mask, same_labels
from tests.helpers.examples import real_logs

FIGURES = {  # hit@1, hit@5, one-to-one, event-weighted; where scores are tied, the assignment is a matter of chance
    ("Env_Permit", "profile"): (0.48, 0.88, 0.56, 0.96),
    ("Env_Permit", "zhu"): (0.36, 0.76, 0.72, 0.98),
    ("Env_Permit", "kin-joined"): (0.28, 0.68, 0.68, 0.69),
    ("Helpdesk", "kin-joined"): (0.50, 0.83, 0.83, 1.0),
    ("BPIC20_PermitLog", "kin-joined"): (0.21, 0.39, 0.61, 0.80),
    ("Helpdesk", "profile"): (0.67, 0.84, 0.67, 1.0),
    ("Helpdesk", "zhu"): (0.33, 1.0, 0.58, 0.99),
    ("BPIC20_PermitLog", "profile"): (0.66, 1.0, 0.76, 0.95),
    ("BPIC20_PermitLog", "zhu"): (0.29, 0.87, 0.53, 0.88),
}


@pytest.mark.parametrize("name", real_logs("Env_Permit", long=("Helpdesk", "BPIC20_PermitLog")))
@pytest.mark.parametrize("method", ["profile", "zhu", "kin-joined"])
def test_baselines_have_the_figures_of_the_specification(name, method, real_log):
    first, second = halves_by_time(real_log(name))
    scores = next(matcher for matcher in MATCHERS if matcher.name == method)().fit(first, second, {}).scores_
    partners = partner_mask(first.activities, second.activities, same_labels(first.activities, second.activities))
    queries = partners.any(axis=1)
    counts = first.activity_counts[queries]
    found = partner_scores(scores[queries], partners[queries], assign(scores)[queries], counts)
    hit1, hit5, assigned, events = FIGURES[name, method]
    assert (found.hit1, found.hit5) == pytest.approx((hit1, hit5), abs=0.0051)
    assert (found.assigned, found.events) == pytest.approx((assigned, events), abs=0.05)
