"""Gather when the process changed, and the flow before and after each change."""

from typing import Any

from actalike.counting import directly_follows
from actalike.log import AnyLog, EventLog
from actalike.report.log_data import follows_data
from actalike.two_logs import change_point_title, change_point_words, change_points, divide_at_change

SHOWN = 6  # changes that the page has: the clearest
_WORDS = 1  # sentences on each


def changes_data(log: AnyLog, number: dict[str, int]) -> dict[str, Any] | None:
    """Return the clearest changes of a log in the order of time, each with both sides; None without timestamps.

    A side has the figures of the shown activities that the whole log has on the page: events, cases, and what follows what.
    """
    if not isinstance(log, EventLog):
        return None
    found = change_points(log)
    if found.order != "start":
        return None
    clearest = sorted(found.points[:SHOWN], key=lambda point: point.case)
    return {
        "shown": [
            {
                "at": str(point.time)[:19],
                "title": change_point_title(point),
                "words": change_point_words(point, _WORDS)[:_WORDS],
                "sides": _sides(divide_at_change(found, point), number),
            }
            for point in clearest
        ],
        "further": len(found.points) - len(clearest),
    }


def _sides(sides: Any, number: dict[str, int]) -> list[dict[str, Any]]:
    data = []
    for log, name in zip((sides.before, sides.after), sides.names, strict=True):
        figures = (log.activity_counts, log.activity_cases)
        counts, cases = (dict(zip(log.activities, one.tolist(), strict=True)) for one in figures)
        data.append(
            {
                "period": f"{name[0].upper()}{name[1:]}",
                "facts": {"cases": log.n_cases, "activities": int((log.activity_counts > 0).sum())},
                "counts": [counts.get(label, 0) for label in number],
                "cases": [cases.get(label, 0) for label in number],
                "follows": follows_data(directly_follows(log), number),
            }
        )
    return data
