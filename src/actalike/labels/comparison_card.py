"""Build the card that a notebook shows of a comparison: two columns with bars, then what differs in sentences.

Labels, names of people and case ids come from logs and are not trusted: they are escaped and shown as text.
"""

from collections.abc import Sequence
from html import escape

from actalike.labels.comparison_data import ComparisonData, UseOverTime
from actalike.labels.comparison_words import comparison_sentences, period_words
from actalike.labels.pair_contexts import CommonContext
from actalike.labels.words import verdict_words
from actalike.support.text import label_html, one_line, percent

_NEIGHBOURS = 6  # shown before, and after
_COLOURS = ("#3b6fb6", "#c2571a")  # of side a and side b, on white and on black
_STRIP = 480  # pixels of the picture of time, about
_CELL = "text-align:left;padding:.1em .6em;vertical-align:middle"


def comparison_card(comparison: ComparisonData) -> str:
    """Return the HTML of a comparison."""
    a, b = comparison.a, comparison.b
    verdict = (
        ""
        if comparison.verdict is None
        else f"<div>{escape(verdict_words(comparison.verdict.relation, comparison.verdict.probability))}</div>"
    )
    heads = "".join(
        f"<th style='{_CELL};border-bottom:3px solid {colour}'>{label_html(side.name)}<br><small>{side.size}</small></th>"
        for side, colour in zip((a, b), _COLOURS, strict=True)
    )
    flows = "".join(
        _flow(comparison, title, contexts)
        for title, contexts in (("directly before", comparison.before), ("directly after", comparison.after))
    )
    table = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{flows}</tbody></table>"
    words = comparison_sentences(comparison)
    sentences = "".join(f"<li><bdi>{escape(one_line(sentence, 400))}</bdi></li>" for subject in words for sentence in subject)
    strip = "" if comparison.over_time is None else _strip(comparison.over_time)
    return f"<div><strong>Comparison</strong>{verdict}{table}{strip}<ul>{sentences}</ul></div>"


def _flow(comparison: ComparisonData, title: str, contexts: Sequence[CommonContext]) -> str:
    """Return the rows of the most frequent neighbours on one side, and one that says how many there are beside."""
    rows = [f"<tr><th colspan='3' style='{_CELL}'>{title}</th></tr>"]
    for context in contexts[:_NEIGHBOURS]:
        (symbol,) = context.symbols
        name = "<em>outside the case</em>" if symbol is None else label_html(symbol)
        bars = "".join(
            f"<td style='{_CELL}'>{_bar(share, colour)} {percent(share)} <small>({count:,})</small></td>"
            for share, count, colour in zip(comparison.shares(context), (context.count_a, context.count_b), _COLOURS, strict=True)
        )
        rows.append(f"<tr><td style='{_CELL}'>{name}</td>{bars}</tr>")
    if len(contexts) > _NEIGHBOURS:
        rows.append(f"<tr><td colspan='3' style='{_CELL}'>and {len(contexts) - _NEIGHBOURS:,} more</td></tr>")
    return "".join(rows)


def _bar(share: float, colour: str) -> str:
    return f"<span style='display:inline-block;width:{6 * share:.2f}em;height:.7em;background:{colour}'></span>"


def _strip(over_time: UseOverTime) -> str:
    """Return a picture of both sides over time: a column for each period, one half above and one below the axis."""
    largest = max(int(over_time.counts_a.max()), int(over_time.counts_b.max()), 1)
    width = max(4, _STRIP // len(over_time.starts))
    bars = []
    for i, (count_a, count_b) in enumerate(zip(over_time.counts_a.tolist(), over_time.counts_b.tolist(), strict=True)):
        high, low = 30 * count_a / largest, 30 * count_b / largest
        bars.append(
            f"<rect x='{i * width}' y='{31 - high:.1f}' width='{width - 1}' height='{high:.1f}' fill='{_COLOURS[0]}'/>"
            * (count_a > 0)
        )
        bars.append(f"<rect x='{i * width}' y='33' width='{width - 1}' height='{low:.1f}' fill='{_COLOURS[1]}'/>" * (count_b > 0))
    first, last = (period_words(over_time.starts[place], over_time.unit) for place in (0, -1))
    size = f"width='{len(over_time.starts) * width}' height='64'"
    return f"<div><svg {size} role='img' aria-label='events by {over_time.unit}'>{''.join(bars)}</svg><br>" + (
        f"<small>events by {over_time.unit}, {escape(first)} to {escape(last)}, up to {largest:,}</small></div>"
    )
