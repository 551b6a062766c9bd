"""Print odd events, and a case with what is odd about it."""

from collections.abc import Iterator, Sequence
from typing import Any

from actalike.cli.console import plain
from actalike.cli.second_names import with_name
from actalike.cli.shell import quoted
from actalike.log import EventLog
from actalike.oddities import KIND_WORDS, ODD, CaseNames, OddEvent, Oddities, by_reason, odd_sentence, odd_summary, place_words

_AROUND = 2  # events on each side of an odd place that are shown in any case
_SHOWN_OTHERS = 3  # further odd places for the same reason
_SMALLEST = 0.05  # a score that is not rounded to 0
_LONG = 50  # events of a case that are all shown


def print_odd_events(events: Sequence[OddEvent], listed: Sequence[OddEvent], log: EventLog, top: int) -> None:
    """Print how many odd events there are of each kind, then the oddest with their reasons. Those of one reason are one entry.

    ``events`` are those of ``listed`` that are of the kind that was asked for.
    """
    of_kind = odd_summary(events)
    if not events and listed:
        of_kind = f"no odd place of this kind; of other kinds {odd_summary(listed)}"
    looked_at = f"{_number(log.n_events, 'event')} of {_number(log.n_cases, 'case')}"
    print(f"{of_kind[0].upper()}{of_kind[1:]}. Looked at: {looked_at}.\n")
    groups = by_reason(events, log)
    shown = groups[:top]
    width = max((len(f"{group[0].score:.1f}") for group in shown), default=0)
    names = CaseNames(log)
    for group in shown:
        first, *others = group
        print(f"{first.score:{width}.1f}  {plain(_place(first, names))}: {KIND_WORDS[first.kind]}")
        print(f"{'':{width}}  {plain(odd_sentence(first, log))}")
        if others:
            places = "; ".join(_place(one, names) for one in others[:_SHOWN_OTHERS])
            more = f"; and {len(others) - _SHOWN_OTHERS:,} more" if len(others) > _SHOWN_OTHERS else ""
            print(f"{'':{width}}  also {plain(places)}{more}")
        print()
    if len(groups) > top:
        rest = sum(map(len, groups[top:]))
        print(f"and {_number(rest, 'more odd place')} for {_number(len(groups) - top, 'more reason')}: --top, or -o FILE\n")
    if events:
        print(plain(f"A case, event by event: --explain {quoted(events[0].case)}"), end="\n\n")


def print_left_out(result: Oddities) -> None:
    """Print how many places are not listed although their scores are high enough, and why."""
    same_time, unseen = result.left_out_same_time, result.left_out_unseen
    parts = [f"{_number(same_time, 'place')} for the order of events with the same time"] if same_time else []
    parts += [f"{_number(unseen, 'place')} in a company that was seen fewer than 20 times"] if unseen else []
    if parts:
        print(f"Left out: {' and '.join(parts)}. --explain shows them.\n")


def print_oddest_case(result: Oddities) -> None:
    """Print which case is the oddest where none is odd; cases that are all alike have none."""
    scores = result.case_scores()
    oddest = int(scores.argmax())
    if scores[oddest] >= max(_SMALLEST, float(scores.min()) + _SMALLEST):
        case = plain(f"The oddest case is {CaseNames(result.log).of(oddest)}: --explain {quoted(result.log.case_ids[oddest])}")
        print(case, end="\n\n")


def _place(one: OddEvent, names: CaseNames) -> str:
    return f"case {names.of(one.case_number)}, {place_words(one)}"


def case_facts(result: Oddities, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return for JSON how odd some cases are, and their labels."""
    return [
        {"case": result.log.case_ids[number], "case_number": number + 1, **_standing(result, number), "events": labels}
        for number in numbers
        for labels in [_labels(result.log, number)]
    ]


def print_case(result: Oddities, number: int, kind: str | None, top: int) -> None:
    """Print a case event by event, with what is odd about it under each event. Of a long case only odd places are shown.

    If ``kind`` is not None, only places of this kind are shown.
    """
    log = result.log
    labels = _labels(log, number)
    standing = _standing(result, number)
    rank = f"place {standing['rank']:,} of {_number(log.n_cases, 'case')}, the oddest first"
    facts = f"{_number(len(labels), 'event')}, score {standing['score']:.1f} ({rank})"
    print(f"case {plain(CaseNames(log).of(number))}: {facts}\n")
    explained = result.explain(number)
    events = [one for one in explained if one.score >= _SMALLEST and kind in (None, one.kind)]
    reasons: dict[int, list[OddEvent]] = {}
    for one in events[:top]:
        reasons.setdefault(one.position, []).append(one)
    width = len(f"{len(labels):,}")
    for position in _shown(len(labels), reasons):
        if position is None:
            print(f"{'':{width}}  ...")
            continue
        if position < len(labels):
            print(f"{position + 1:{width},}  {plain(with_name(labels[position], log.names))}")
        for one in reasons.get(position, ()):
            print(f"{'':{width}}    {one.score:.1f}  {plain(odd_sentence(one, log))}")
    if len(events) > top:
        print(f"and {_number(len(events) - top, 'more place')}: --top")
    verdict = _verdict(result, number, explained, kind)
    if verdict:
        print(verdict)
    print()


def _verdict(result: Oddities, number: int, explained: Sequence[OddEvent], kind: str | None) -> str:
    """Return why no place of a case is odd, or none of a kind; an empty text if there is one."""
    listed = [one for one in result.most(None) if one.case_number == number]
    if any(kind in (None, one.kind) for one in listed):
        return ""
    if listed:
        return f"no place of this kind is odd; {len(listed):,} of another kind: show all without --kind"
    high = [one for one in explained if one.score >= ODD]
    if any(one.same_time for one in high):
        return "nothing is odd about it: events with the same time have no order that could be wrong"
    if high:
        return "nothing is odd about it: its company was seen too seldom to say what is usual"
    if result.case_scores()[number] >= ODD:
        return "no single place is odd: several that are less odd add up to the score of the case"
    return f"nothing is odd about it: no place has a score of {ODD:.1f} or more"


def _shown(length: int, reasons: dict[int, list[OddEvent]]) -> Iterator[int | None]:
    """Yield the positions of a case to show, and None where some are left out; the end of the case is a position too."""
    if length <= _LONG:
        yield from range(length + 1)
        return
    near = {position + step for position in reasons for step in range(-_AROUND, _AROUND + 1)}
    kept = sorted({0, length - 1, *(position for position in near if 0 <= position <= length)})
    for last, position in zip([-1, *kept], kept, strict=False):
        if position > last + 1:
            yield None
        yield position


def _standing(result: Oddities, number: int) -> dict[str, Any]:
    """Return the score of a case, and its place among all cases, the oddest first."""
    scores = result.case_scores()
    return {"score": float(scores[number]), "rank": int((scores > scores[number]).sum()) + 1}


def _labels(log: EventLog, number: int) -> list[str]:
    return [log.activities[code] for code in log.codes[log.offsets[number] : log.offsets[number + 1]]]


def _number(number: int, noun: str) -> str:
    """Return how many there are of something.

    >>> _number(1, "case"), _number(2000, "case")
    ('1 case', '2,000 cases')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
