"""Parts of a log that name the same steps differently are found, by a column and by period; parts that do not are left alone."""

from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest

from actalike import ActalikeError, EventLog, LogError, group, match, read_log, read_variants, same_step, vocabularies
from actalike.grouping import judge_pair
from actalike.labels import PartnerLabels
from actalike.support.weights import log_odds_of
from actalike.two_logs import words_of_people

STEPS = ["order", "check credit", "reserve", "pick", "pack", "ship", "bill", "remind", "close"]


def orders(n=240, seed=0):
    """Cases of a process with a choice, a loop and a skipped step."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(n):
        steps = ["order", "check credit"]
        if rng.random() < 0.2:
            cases.append([*steps, "close"])
            continue
        steps += ["reserve"] * (1 + (rng.random() < 0.2)) + ["pick", "pack"]
        steps += ["ship", "bill"] if rng.random() < 0.6 else ["bill", "ship"]
        cases.append([*steps, *["remind"] * rng.integers(0, 3), "close"])
    return cases


def read(cases, sites):
    rows = [
        (str(case), step, datetime(2024, 1, 1) + timedelta(minutes=100 * case + place), site)
        for case, (steps, site) in enumerate(zip(cases, sites, strict=True))
        for place, step in enumerate(steps)
    ]
    events = pl.DataFrame(rows, schema=["case", "activity", "time", "site"], orient="row")
    return read_log(events, attributes=["site"])


def renamed(cases, sites, names, of):
    """Rename steps in the cases of some sites."""
    return [[names.get(step, step) if site in of else step for step in steps] for steps, site in zip(cases, sites, strict=True)]


def found_pairs(found):
    return {tuple(sorted(pair[:2])) for one in found for pair in one.pairs}


@pytest.mark.parametrize("steps", [["check credit", "reserve", "pick"], ["bill"], STEPS])
def test_an_office_with_words_of_its_own_is_found_although_adjacent_steps_have_new_names(steps):
    cases, names = orders(), {step: f"{step} 2" for step in steps}
    sites = ["north", "south"] * 120
    [one] = vocabularies(read(renamed(cases, sites, names, {"south"}), sites))
    assert one.by == "site"
    assert found_pairs([one]) == {tuple(sorted(pair)) for pair in names.items()}
    assert {one.a.n_cases, one.b.n_cases} == {120}


def test_frames_and_logs_that_were_read_of_them_have_the_same_vocabularies():
    cases, sites = orders(), ["north", "south"] * 120
    log = read(renamed(cases, sites, {"pick": "collect", "pack": "wrap"}, {"south"}), sites)
    for kind in ("polars", "pandas", "pyarrow"):
        frame = log.to_frame(kind)
        assert read_log(frame) == log
        of_frame, of_log = same_step(frame), same_step(read_log(frame))
        assert of_frame.probability("pick", "collect") == of_log.probability("pick", "collect") > 0.5
        assert group(frame) == group(read_log(frame)) == group(log)


def test_values_that_use_the_same_words_are_one_part():
    cases, names = orders(400), {"pick": "collect", "pack": "wrap", "bill": "charge"}
    sites = ["Ann", "Bob", "Cyd", "Dan"] * 100
    [one] = vocabularies(read(renamed(cases, sites, names, {"Bob", "Dan"}), sites))
    assert {one.a.values, one.b.values} == {("Ann", "Cyd"), ("Bob", "Dan")}
    assert found_pairs([one]) == {("bill", "charge"), ("collect", "pick"), ("pack", "wrap")}


def test_each_of_three_offices_may_have_words_of_its_own():
    cases, sites = orders(450), ["north", "south", "west"] * 150
    cases = renamed(cases, sites, {"pick": "collect", "pack": "wrap"}, {"south"})
    cases = renamed(cases, sites, {"pick": "fetch", "pack": "bag"}, {"west"})
    found = vocabularies(read(cases, sites), by="site")
    assert len(found) == 2
    assert len(found_pairs(found)) == 4


def test_words_that_a_new_system_replaced_are_found_by_period():
    cases, names = orders(), {"pick": "collect", "pack": "wrap", "ship": "dispatch"}
    log = read(renamed(cases, ["old"] * 120 + ["new"] * 120, names, {"new"}), ["here"] * 240)
    [one] = vocabularies(log)
    assert one.by == "period"
    assert found_pairs([one]) == {tuple(sorted(pair)) for pair in names.items()}
    assert one.b.name == f"from {log.timestamps[log.offsets[120]].astype('datetime64[D]')}"


def test_words_of_three_periods_are_one_step():
    cases, periods = orders(960), ["first"] * 320 + ["second"] * 320 + ["third"] * 320
    cases = renamed(cases, periods, {"pick": "collect", "pack": "wrap"}, {"second"})
    cases = renamed(cases, periods, {"pick": "fetch", "pack": "bag"}, {"third"})
    found = {frozenset(one.activities) for one in group(read(cases, ["here"] * 960)) if one.relation == "synonyms"}
    assert found == {frozenset(["pick", "collect", "fetch"]), frozenset(["pack", "wrap", "bag"])}


def test_words_are_found_by_period_although_other_steps_ended_and_began_before():
    cases, names = orders(800), {"pick": "collect", "pack": "wrap", "ship": "dispatch"}
    cases = renamed(cases, ["old"] * 500 + ["new"] * 300, names, {"new"})
    for case, steps in enumerate(cases):
        steps[1:1] = ["ask", "wait"] if case < 60 else ["warn"] if case >= 90 else []
    [one] = vocabularies(read(cases, ["here"] * 800), by="period")
    assert found_pairs([one]) == {tuple(sorted(pair)) for pair in names.items()}


def test_steps_that_were_replaced_by_others_at_one_moment_are_not_accepted():
    cases = orders(300)
    other = {"pick": ["print", "fetch"], "bill": ["remind", "count", "post"]}
    cases = [
        [new for step in steps for new in (other.get(step, [step]) if case >= 150 else [step])]
        for case, steps in enumerate(cases)
    ]
    assert not any({"fetch", "count"} & {*pair[:2]} for one in vocabularies(read(cases, ["here"] * 300)) for pair in one.pairs)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_found_where_sites_and_periods_use_the_same_words(seed):
    rng = np.random.default_rng(seed)
    log = read(orders(200, seed), rng.choice(["north", "south", "west"], 200).tolist())
    assert vocabularies(log) == []


def test_parts_that_do_different_things_are_not_one_flow():
    rng = np.random.default_rng(1)
    other = [["apply", *rng.permutation(["look", "ask", "wait", "think"]).tolist(), "decide"] for _ in range(120)]
    log = read([*orders(120), *other], ["sales"] * 120 + ["permits"] * 120)
    assert found_pairs(vocabularies(log)) == set()


def test_strata_of_variants_are_compared_as_the_column_is():
    cases, names = orders(), {"pick": "collect", "pack": "wrap"}
    sites = ["north", "south"] * 120
    log = read(renamed(cases, sites, names, {"south"}), sites)
    [one], [same] = vocabularies(log, by="site"), vocabularies(read_variants(log, by="site"), by="site")
    assert one.pairs == same.pairs
    assert (one.a, one.b) == (same.a, same.b)


@pytest.mark.parametrize("steps", [["check credit", "reserve", "pick"], STEPS])
def test_groups_have_the_words_of_two_offices_with_a_witness_of_their_own(steps):
    cases, names = orders(), {step: f"{step[::-1]}" for step in steps}
    log = read(renamed(cases, ["north", "south"] * 120, names, {"south"}), ["north", "south"] * 120)
    groups = [one for one in group(log) if one.relation == "synonyms"]
    assert {frozenset(one.activities) for one in groups} == {frozenset(pair) for pair in names.items()}
    witness = groups[0].witnesses[-1]
    assert (witness.kind, witness.attribute, witness.steps) == ("vocabularies", "site", len(steps))
    assert set(witness.parts) == {"north", "south"}
    assert group(log, by="site") == group(log)


@pytest.mark.parametrize(("steps", "is_accepted"), [(1, False), (2, True)])
def test_one_pair_of_words_alone_needs_the_flow_of_the_whole_log(steps, is_accepted):
    partners = (PartnerLabels("pick", "remind", 0.9, "site", ("north", "south"), steps),)
    same = replace(same_step(EventLog.from_traces(orders())), partners=partners)
    assert same.interchangeable("pick", "remind") < 0.5
    assert (same.probability("pick", "remind") > 0.5) == is_accepted


def test_the_reasons_of_words_of_two_offices_sum_to_their_probability():
    cases, sites = orders(), ["north", "south"] * 120
    same = same_step(read(renamed(cases, sites, {"pick": "collect", "pack": "wrap"}, {"south"}), sites))
    p = same.probability("pick", "collect")
    assert p > 0.9
    assert np.isclose(sum(reason.log_odds for reason in same.evidence("pick", "collect")), np.log(p / (1 - p)))
    assert "vocabularies" in {reason.kind for reason in same.evidence("pick", "collect")}


def test_the_words_of_three_offices_are_one_group():
    cases, sites = orders(450), ["north", "south", "west"] * 150
    cases = renamed(cases, sites, {"pick": "collect", "pack": "wrap"}, {"south"})
    cases = renamed(cases, sites, {"pick": "fetch", "pack": "bag"}, {"west"})
    found = {frozenset(one.activities) for one in group(read(cases, sites)) if one.relation == "synonyms"}
    assert found == {frozenset({"pick", "collect", "fetch"}), frozenset({"pack", "wrap", "bag"})}


def test_words_that_say_the_opposite_are_no_synonyms_whatever_the_offices_do():
    cases, sites = orders(), ["north", "south"] * 120
    log = read(renamed(cases, sites, {"pick": "accept", "pack": "wrap"}, {"north"}), sites)
    log = log.relabel(lambda label: "reject" if label == "pick" else label)
    assert all(one.relation != "synonyms" for one in group(log) if "accept" in one.activities)


def test_an_office_may_put_its_letter_before_all_labels_and_one_letter_alone_tells_two_steps_apart():
    cases, sites = orders(), ["north", "south"] * 120
    apart = {step: f"S {step}" for step in STEPS}
    log = read(renamed(renamed(cases, sites, apart, {"south"}), sites, {step: f"N {step}" for step in STEPS}, {"north"}), sites)
    assert sum(one.relation == "synonyms" for one in group(log)) == len(STEPS)
    alone = read(renamed(renamed(cases, sites, {"pick": "pick A"}, {"south"}), sites, {"pick": "pick B"}, {"north"}), sites)
    assert all(one.relation != "synonyms" for one in group(alone))


def test_the_parts_of_one_log_are_matched_and_what_both_use_is_known():
    cases, sites = orders(), ["north", "south"] * 120
    names = {"check credit": "verify", "reserve": "hold", "pick": "collect"}
    log = read(renamed(cases, sites, names, {"south"}), sites)
    matching = match(log, by="site")
    assert set(matching.parts) == {"north", "south"}
    assert set(matching.known) == set(STEPS) - set(names)
    pairs = {frozenset(pair[:2]) for pair in matching.pairs if pair.a not in matching.known}
    assert pairs == {frozenset(pair) for pair in names.items()}
    with pytest.raises(ActalikeError, match="by"):
        match(log)
    with pytest.raises(LogError, match="period"):
        match(EventLog.from_traces(orders(40)), by="period")


def test_a_column_that_was_not_read_is_an_error():
    log = EventLog.from_traces(orders(10))
    with pytest.raises(LogError, match="site"):
        vocabularies(log, by="site")
    with pytest.raises(LogError, match="strata"):
        vocabularies(log.variants, by="site")
    assert vocabularies(log) == []


def by_people(cases, people, names, of, read_as="user"):
    """A log whose events are each done by somebody; some of them have words of their own."""
    rows = [
        (
            str(case),
            names.get(step, step) if person in of else step,
            datetime(2024, 1, 1) + timedelta(minutes=100 * case + at),
            person,
        )
        for case, steps in enumerate(cases)
        for at, (step, person) in enumerate((step, people(step)) for step in steps)
    ]
    events = pl.DataFrame(rows, schema=["case", "activity", "time", read_as], orient="row")
    return read_log(events, attributes=[read_as])


@pytest.mark.parametrize("steps", [["check credit", "reserve", "pick"], STEPS])
def test_words_of_people_are_found_although_cases_mix_them(steps):
    rng = np.random.default_rng(2)
    names = {step: step[::-1] for step in steps}
    log = by_people(orders(), lambda step: str(rng.choice(["Ann", "Bob", "Cyd", "Dan"])), names, {"Cyd", "Dan"})
    groups = [one for one in group(log) if one.relation == "synonyms"]
    assert {frozenset(one.activities) for one in groups} == {frozenset(pair) for pair in names.items()}
    (witness,) = {
        one._replace(a="", b="", parts=None) for group in groups for one in group.witnesses if one.kind == "vocabularies"
    }
    assert (witness.attribute, witness.steps) == ("user", len(steps))
    same = same_step(log)
    for old, new in names.items():
        assert judge_pair(log, old, new).probability == pytest.approx(same.probability(old, new))
        assert sum(one.log_odds for one in same.evidence(old, new)) == pytest.approx(log_odds_of(same.probability(old, new)))


def test_people_who_do_other_steps_have_no_words_of_their_own():
    """Sales and claims follow different flows; clerks and managers sign in turn."""
    rng = np.random.default_rng(3)
    sales = [["sell", "offer", "haggle", "agree"][: rng.integers(2, 5)] for _ in range(150)]
    claims = [["report", "inspect", "inspect", "pay", "archive"][rng.integers(0, 2) :] for _ in range(150)]
    cases = [["open", *steps, "close"] for steps in (*sales, *claims)]
    staff = {"Ann, Bob": ("sell", "offer", "haggle", "agree"), "Cyd, Dan": ("report", "inspect", "pay", "archive")}

    def who(step):
        return str(
            rng.choice(
                [name for names, steps in staff.items() for name in names.split(", ") if step in (*steps, "open", "close")]
            )
        )

    log = by_people(cases, who, {}, set())
    assert list(words_of_people(same_step(log))) == []


def test_one_pair_of_words_of_people_is_no_vocabulary():
    rng = np.random.default_rng(2)
    log = by_people(orders(), lambda step: str(rng.choice(["Ann", "Bob", "Cyd", "Dan"])), {"bill": "charge"}, {"Cyd", "Dan"})
    assert list(words_of_people(same_step(log))) == []


def test_roles_that_differ_in_a_token_are_no_words_of_people():
    rng = np.random.default_rng(4)
    signed = {f"{step} by CLERK": f"{step} by MANAGER" for step in ("sign", "check")}
    cases = [["open", *rng.permutation(list(signed)).tolist(), "close"] for _ in range(200)]
    log = by_people(cases, lambda step: str(rng.choice(["Ann", "Bob", "Cyd", "Dan"])), signed, {"Cyd", "Dan"})
    assert list(words_of_people(same_step(log))) == []
