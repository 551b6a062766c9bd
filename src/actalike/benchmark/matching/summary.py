"""The figures of the tables: which figure of which pairs of logs and tasks, under which name and heading."""

from typing import NamedTuple

from actalike.benchmark.tasks.matching_problems import KINDS, NOTHING_KNOWN, Kind


class Summary(NamedTuple):
    """Describe a column: the mean of a figure over pairs of one kind, in one task."""

    name: str
    part: str  # the table that it is in
    kind: Kind
    task: str
    figure: str
    about: str


KIND_TITLES: dict[Kind, str] = {
    "codes": "Two logs of BPIC15",
    "vocabulary": "Two logs of BPIC20",
    "time": "Two halves of a log, by time",
    "cases": "Two halves of a log, by cases",
}
_SHORT: dict[Kind, str] = {"codes": "codes", "vocabulary": "words", "time": "time", "cases": "cases"}
_PARTNERS = {
    "hit1": ("hit1", "the partner is the best candidate"),
    "hit5": ("hit5", "the partner is one of the best five"),
    "mrr": ("mrr", "mean of 1 / rank of the partner"),
    "one": ("assigned", "the partner is assigned, if each label gets one partner at most"),
    "events": ("events", "the same, weighted by events"),
    "often": ("hit1_often", "hit1 of labels in 5 or more cases of both logs"),
}
_TOLD = ("known-5", "known-10", "known-20", "frequent-5", "frequent-10", "frequent-20")
PLANTED, NO_PARTNER, PAIRS = "Halves by cases, some labels renamed", "No partner", "Pairs, many to one"
CONFIDENCE, COST = "Confidence", "Cost of two logs of BPIC15 (processor seconds, megabytes)"


def _told(task: str) -> str:
    kind, _, percent = task.partition("-")
    return f"{percent} % of the pairs are known" + (", the most frequent ones" if kind == "frequent" else "")


def _kind_summaries(kind: Kind) -> list[Summary]:
    short, title = _SHORT[kind], KIND_TITLES[kind]
    nothing = [
        Summary(f"{short}_{name}", f"{title}, nothing known", kind, NOTHING_KNOWN, figure, about)
        for name, (figure, about) in _PARTNERS.items()
    ]
    if kind == "cases":
        return nothing
    return nothing + [
        Summary(
            f"{short}_{task.replace('-', '')}_{name}", f"{title}, {part} known", kind, task, figure, f"{about}; {_told(task)}"
        )
        for part, start in (("some pairs", "known"), ("the most frequent pairs", "frequent"))
        for name, figure, about in (("hit1", *_PARTNERS["hit1"]), ("one", *_PARTNERS["one"]))
        for task in _TOLD
        if task.startswith(start)
    ]


def _planted(percent: int) -> list[Summary]:
    about = f"{percent} % of the labels are renamed, the others known"
    return [
        Summary(f"renamed{percent}_{name}", PLANTED, "cases", f"renamed-{percent}", figure, f"{about}: {what}")
        for name, (figure, what) in _PARTNERS.items()
        if name in ("hit1", "one")
    ]


_NONE = {
    "ap": ("none_ap", "average precision of telling labels without a partner"),
    "precision": ("none_precision", "share of right ones among the labels that are said to have no partner"),
    "recall": ("none_recall", "share of the labels without a partner that are said to have none"),
    "precision_often": ("none_precision_often", "precision over labels in 5 or more cases of their log"),
    "recall_often": ("none_recall_often", "recall of labels in 5 or more cases of their log"),
}


def _none(prefix: str, kind: Kind, task: str, where: str) -> list[Summary]:
    return [
        Summary(f"{prefix}_none_{name}", NO_PARTNER, kind, task, figure, f"{about}; {where}")
        for name, (figure, about) in _NONE.items()
    ]


def _pairs(prefix: str, kind: Kind, task: str, where: str) -> list[Summary]:
    return [
        Summary(f"{prefix}_{figure}", PAIRS, kind, task, figure, f"{about}; {where}")
        for figure, about in (
            ("precision", "share of the proposed pairs that are true"),
            ("recall", "share of the true pairs that are proposed"),
            ("f", "F of both"),
        )
    ]


SUMMARIES: tuple[Summary, ...] = (
    *(summary for kind in KINDS for summary in _kind_summaries(kind)),
    *(summary for percent in (50, 30, 10) for summary in _planted(percent)),
    *_none("deleted10", "cases", "deleted-10", "10 % of the labels deleted from one half"),
    *_none("deleted30", "cases", "deleted-30", "30 % of the labels deleted from one half"),
    *_none("codes", "codes", NOTHING_KNOWN, "BPIC15"),
    *_pairs("split", "cases", "split", "10 % of the labels of one half split in two"),
    *_pairs("split70", "cases", "split-known-70", "the same, 70 % of the pairs known"),
    *_pairs("codes", "codes", NOTHING_KNOWN, "BPIC15"),
    *_pairs("words", "vocabulary", NOTHING_KNOWN, "BPIC20"),
    *(
        Summary(
            f"{_SHORT[kind]}_surest{n}", CONFIDENCE, kind, NOTHING_KNOWN, f"surest{n}", f"right, of the surest {n} % assigned"
        )
        for kind in ("codes", "time", "cases")
        for n in (10, 25, 50)
    ),
    Summary("seconds", COST, "codes", NOTHING_KNOWN, "seconds", "processor seconds of one matching"),
    Summary("megabytes", COST, "codes", NOTHING_KNOWN, "megabytes", "memory that one matching takes at its highest"),
)
ECE: dict[str, Kind] = {f"{_SHORT[kind]}_ece": kind for kind in KINDS}  # computed from tallies of proposed pairs, nothing known
COLUMNS = (*(summary.name for summary in SUMMARIES), *ECE)
PARTS = tuple(dict.fromkeys(summary.part for summary in SUMMARIES))


def columns_of(part: str) -> list[str]:
    """Return the columns of one of the tables.

    >>> columns_of(COST), columns_of(CONFIDENCE)[-1]
    (['seconds', 'megabytes'], 'cases_ece')
    """
    return [summary.name for summary in SUMMARIES if summary.part == part] + list(ECE if part == CONFIDENCE else ())
