"""Print odd events, and a case with what is odd about it."""

from collections.abc import Iterator, Sequence
from typing import Any

from actalike.cli.console import plain
from actalike.cli.second_names import with_name
from actalike.log import EventLog
from actalike.oddities import KIND_WORDS, ODD, OddEvent, Oddities, by_reason, odd_sentence, odd_summary, place_words

_AROUND = 2  # events on each side of an odd place that are shown in any case
_SHOWN_OTHERS = 3  # further odd places for the same reason
_SMALLEST = 0.05  # a score that is not rounded to 0
_LONG = 50  # events of a case that are all shown


def print_odd_events(events: Sequence[OddEvent], log: EventLog, top: int) -> None:
    """Print how many odd events there are of each kind, then the oddest with their reasons. Those of one reason are one entry."""
    found = odd_summary(events)
    looked_at = f"{_number(log.n_events, 'event')} of {_number(log.n_cases, 'case')}"
    print(f"{found[0].upper()}{found[1:]}. Looked at: {looked_at}.\n")
    groups = by_reason(events, log)
    shown = groups[:top]
    width = max((len(f"{group[0].score:.1f}") for group in shown), default=0)
    for group in shown:
        first, *others = group
        print(f"{first.score:{width}.1f}  {plain(_place(first))}: {KIND_WORDS[first.kind]}")
        print(f"{'':{width}}  {plain(odd_sentence(first, log))}")
        if others:
            places = "; ".join(_place(one) for one in others[:_SHOWN_OTHERS])
            more = f"; and {len(others) - _SHOWN_OTHERS:,} more" if len(others) > _SHOWN_OTHERS else ""
            print(f"{'':{width}}  also {plain(places)}{more}")
        print()
    if len(groups) > top:
        rest = sum(map(len, groups[top:]))
        print(f"and {_number(rest, 'more odd place')} for {_number(len(groups) - top, 'more reason')}: --top, or -o FILE\n")


def _place(one: OddEvent) -> str:
    return f"case {one.case}, {place_words(one)}"


def case_facts(result: Oddities, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return for JSON how odd some cases are, and their labels."""
    return [
        {"case": result.log.case_ids[number], "case_number": number + 1, **_standing(result, number), "events": labels}
        for number in numbers
        for labels in [_labels(result.log, number)]
    ]


def print_case(result: Oddities, number: int, events: Sequence[OddEvent], top: int) -> None:
    """Print a case event by event, with what is odd about it under each event. Of a long case only odd places are shown."""
    log = result.log
    labels = _labels(log, number)
    standing = _standing(result, number)
    same_id = f" (number {number + 1:,} of the log)" if log.case_ids.count(log.case_ids[number]) > 1 else ""
    rank = f"place {standing['rank']:,} of {_number(log.n_cases, 'case')}, the oddest first"
    print(
        f"case {plain(log.case_ids[number])}{same_id}: {_number(len(labels), 'event')}, score {standing['score']:.1f} ({rank})\n"
    )
    events = [one for one in events if one.score >= _SMALLEST]
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
    if not any(one.score >= ODD for one in events):
        print(f"nothing is odd about it: no place has a score of {ODD:.1f} or more")
    print()


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
