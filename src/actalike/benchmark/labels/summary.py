"""The figures of the tables: which figure of which tasks, under which name and heading."""

import fnmatch
import re
from typing import NamedTuple


class Summary(NamedTuple):
    """Describe a column: the mean of a figure over some tasks."""

    name: str
    part: str  # the table that it is in
    tasks: tuple[str, ...]  # names or wildcards
    figure: str
    about: str

    def takes(self, task: str) -> bool:
        """Return whether a task counts."""
        return any(fnmatch.fnmatchcase(task, pattern) for pattern in self.tasks)


_SPLITS = ("syn-case-*", "syn-event-*", "syn-period-*", "syn-resource-*")
NEAREST, GROUPS, PAIRS = "Nearest neighbour, by recipe", "Groups", "Pairs of labels"
ALARMS, CALIBRATION, NATURAL, EXPERTS = "What else is proposed", "Calibration", "Natural synonyms", "Expert classes"


def _mixed(end: str) -> tuple[str, ...]:
    """Return the recipes whose names are in use at the same time."""
    return f"syn-case-{end}", f"syn-event-{end}"


SUMMARIES = (
    Summary("case", NEAREST, ("syn-case-*",), "nn", "nearest label is another name of the step; names by case"),
    Summary("event", NEAREST, ("syn-event-*",), "nn", "the same; names by event"),
    Summary("period", NEAREST, ("syn-period-*",), "nn", "the same; names by period"),
    Summary("resource", NEAREST, ("syn-resource-*",), "nn", "the same; names by resource"),
    Summary("part", NEAREST, ("syn-part-*",), "nn", "the same; a small part of the events has the other name"),
    Summary("distorted", NEAREST, ("dis-*",), "nn", "the same; slips of the keyboard"),
    Summary("polluted", NEAREST, ("pol-*",), "nn", "the same; changing text at the end of the label"),
    Summary("whole_2", GROUPS, _mixed("2"), "whole", "both names of a step are in one group; names by case and by event"),
    Summary("whole_4", GROUPS, _mixed("4"), "whole", "all four names of a step are in one group"),
    Summary("uneven_4", GROUPS, _mixed("4-uneven"), "whole", "the same, of names that are unevenly frequent"),
    Summary("whole_period", GROUPS, ("syn-period-*",), "whole", "all names of a step are in one group; names by period"),
    Summary("exact", GROUPS, _SPLITS, "exact", "all names of a step are in one group, and nothing else"),
    Summary("restored", GROUPS, _SPLITS, "restored", "events that get the most frequent name of their step back"),
    Summary("precision", PAIRS, _SPLITS, "precision", "share of the proposed pairs that are one step by the recipe"),
    Summary("sure", PAIRS, _SPLITS, "sure_precision", "the same, of pairs with a planted name"),
    Summary("recall", PAIRS, _SPLITS, "recall", "share of the pairs of one step that are proposed"),
    Summary("f", PAIRS, _SPLITS, "f", "F of precision and recall"),
    Summary("ap", PAIRS, _SPLITS, "ap", "average precision of the ranking of pairs with a planted name"),
    Summary("others", ALARMS, _SPLITS, "other_labels", "share of the labels in groups without a planted name"),
    Summary("unplanted", ALARMS, ("unplanted",), "proposed_labels", "share of the labels in groups, where nothing is planted"),
    Summary("brier", CALIBRATION, _SPLITS, "brier", "mean squared error of the probabilities"),
    Summary("gain", CALIBRATION, _SPLITS, "brier_gain", "share of that error that the base rate would have beyond it"),
    Summary("natural", NATURAL, ("natural",), "nn", "nearest label is the natural synonym"),
    Summary("natural_mrr", NATURAL, ("natural",), "mrr", "mean of 1 / rank of the natural synonym"),
    Summary("natural_apart", NATURAL, ("natural",), "nn_apart", "nearest of the labels that share few cases with the query"),
    Summary("subprocess", EXPERTS, ("classes-subprocess",), "nn", "nearest label is of the same subprocess"),
    Summary("subprocess_ari", EXPERTS, ("classes-subprocess",), "ari_average", "clusters against subprocesses, average linkage"),
    Summary("phase", EXPERTS, ("classes-phase",), "nn", "nearest label is of the same phase"),
    Summary("phase_ari", EXPERTS, ("classes-phase",), "ari_average", "clusters against phases, average linkage"),
    Summary("phase_nmi", EXPERTS, ("classes-phase",), "nmi_average", "the same, normalised mutual information"),
    Summary("document", EXPERTS, ("classes-document",), "nn", "nearest label is of the same document"),
    Summary("document_ari", EXPERTS, ("classes-document",), "ari_average", "clusters against documents, average linkage"),
    Summary("verb", EXPERTS, ("classes-verb",), "nn", "nearest label has the same verb"),
    Summary("verb_ari", EXPERTS, ("classes-verb",), "ari_average", "clusters against verbs, average linkage"),
)  # fmt: skip
ECE = ("ece", "ece_nearest")  # computed from the tallies of a log
COLUMNS = (*(summary.name for summary in SUMMARIES), *ECE)


def columns_of(part: str) -> list[str]:
    """Return the columns of one of the tables.

    >>> columns_of("Calibration")
    ['brier', 'gain', 'ece', 'ece_nearest']
    """
    return [summary.name for summary in SUMMARIES if summary.part == part] + list(ECE if part == CALIBRATION else ())


PARTS = tuple(dict.fromkeys(summary.part for summary in SUMMARIES))


def has_tally(task: str) -> bool:
    """Return whether the probabilities of a task count for calibration: splits of all kinds."""
    return any(fnmatch.fnmatchcase(task, pattern) for pattern in (*_SPLITS, "syn-part-*"))


def log_family(log: str) -> str:
    """Return the family of a log: logs of one BPI challenge are one family, any other log is its own.

    >>> log_family("BPIC15_4"), log_family("BPIC12_W_Complete"), log_family("Helpdesk")
    ('BPIC15', 'BPIC12', 'Helpdesk')
    """
    found = re.match(r"BPIC\d\d", log)
    return found[0] if found else log
