"""What speaks for two activities of two logs being one step, beside their neighbours: profiles, frequencies, texts, known pairs.

Each kind of evidence gives a row for each activity of log a and a column for each of log b. Profiles and frequencies are
computed from variants and always count; what may be asked for beside them is in :func:`further_evidence`, where a new kind is a
line. Known pairs are what a person says.

Frequencies count as far as they agree between the two logs at all. Halves of one log have the same frequencies but for chance.
Two municipalities have not. How far they differ is measured on the pairs that are certain already: d = ln q(a) - ln q(b) varies
by chance with the variance s², and beyond that with τ² among these pairs. All pairs then get -ln(1 + d² / (τ² + s²)), once for
q = the share of cases, and once for q = the events per such case. This is the logarithm of a Cauchy density: a large difference
counts against a pair, but never excludes it.

A label with a second name (a code such as *01_HOOFD_010*, called *register request*) is compared by that name, because codes
that look alike say nothing. Codes count only if they are written alike, up to case, punctuation and slips of the keyboard.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean, shortened
from actalike.labels import (
    KNOWN,
    MATCHED,
    LabelTable,
    LabelTexts,
    begins_as_json,
    is_known,
    is_rejected,
    read_label_table,
)
from actalike.log import Variants
from actalike.two_logs.decisions import read_matching_decisions

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

FIFTHS = 5  # of a case, for relative positions
_DISTANCES = 8  # 0, 1-2, 3-6, 7-14, ... events away from the start or the end of the case
_FEW_CASES = 0.002  # added to shares of cases, so that one case more or less of a rare activity matters little
_NOTHING_IN_COMMON = 1e-4  # the least likeness of two distributions: no single difference excludes a pair
_REPEATS, _LOOPS = 0.5, 0.5  # weights of differences in events per case, and in events that are repeated at once
_STEPS = 20  # of the estimate of τ², which settles in fewer
_LARGEST, _LEAST = 25.0, 1e-4  # of τ²
_LITTLE = 0.1  # variance of the events per case that is always assumed
WRITTEN_ALIKE = 0.9  # a likeness from here on is that of one text in two spellings (docs/label_text.md)
OF_NAMES = 0.95  # a second name may be that of several codes, so that equal names prove less than equal labels
_ROWS_AT_ONCE = 256
_TEXT_POINTS = (0.0, 1.0), (-1.5, 4.0)  # log-odds of labels that have nothing in common, and of equal ones
_NOTHING = "Nothing was matched."


class Profiles(NamedTuple):
    """Hold what is known of each activity apart from its neighbours; distributions are rows that sum to 1.

    ``cases`` is the share of cases with the activity, ``repeats`` its events per such case, ``loops`` the share of its events
    that the same activity follows at once. ``fifths`` says in which fifth of the case its events are, ``from_start`` and
    ``from_end`` how many events away from the case's start and end, in doubling steps.
    """

    cases: Floats
    repeats: Floats
    loops: Floats
    fifths: Floats
    from_start: Floats
    from_end: Floats


def profiles_of(variants: Variants) -> Profiles:
    """Compute the profiles of all activities.

    >>> profiles = profiles_of(Variants(["a", "b"], np.array([0, 1, 1, 0]), np.array([0, 3, 4]), np.array([1, 1])))
    >>> profiles.cases.tolist(), profiles.repeats.tolist(), profiles.loops.tolist()
    ([1.0, 0.5], [1.0, 2.0], [0.0, 0.5])
    """
    n, codes, events = len(variants.activities), variants.codes, variants.activity_counts
    weights = variants.weights[variants.variant_of_event]
    length = np.repeat(variants.lengths, variants.lengths)
    place = np.arange(len(codes)) - np.repeat(variants.offsets[:-1], variants.lengths)
    distances = (_doublings(place), _doublings(length - 1 - place))
    bins = ((place * FIFTHS // length, FIFTHS), *((distance, _DISTANCES) for distance in distances))
    counts = [np.bincount(codes * np.int64(k) + of_events, weights, minlength=n * k).reshape(n, k) for of_events, k in bins]
    is_loop = np.append((codes[1:] == codes[:-1]) & (place[1:] > 0), False)
    return Profiles(
        variants.activity_cases / cases_with_events(variants),
        events / variants.activity_cases,
        np.bincount(codes[is_loop], weights[is_loop], minlength=n) / events,
        *(of_bins / events[:, np.newaxis] for of_bins in counts),
    )


def cases_with_events(variants: Variants) -> int:
    """Return the number of cases that are not empty: of these, shares of cases are taken."""
    return int(variants.weights[variants.lengths > 0].sum())


def _doublings(distance: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each distance: ⌊log2(distance + 1)⌋, at most the last one."""
    return np.minimum(np.frexp(distance + 1.0)[1] - 1, _DISTANCES - 1).astype(np.int64)


def profile_likeness(a: Profiles, b: Profiles, cases: float, ends: float) -> Floats:
    """Return the logarithm of how alike the profiles of two logs' activities are, 0 for the most alike pair.

    ln BC(fifths) + ``ends`` (ln BC(from_start) + ln BC(from_end)) - ``cases`` |ln((c(a) + 0.002) / (c(b) + 0.002))|
    - 0.5 |ln(r(a) / r(b))| - 0.5 |l(a) - l(b)|, where BC is the Bhattacharyya coefficient Σ sqrt(p q), c the share of cases, r
    the events per such case, and l the share of loops.
    """
    likeness = _overlap(a.fifths, b.fifths) - _REPEATS * _ratio(a.repeats, b.repeats)
    likeness -= _LOOPS * np.abs(a.loops[:, np.newaxis] - b.loops)
    if cases:
        likeness -= cases * _ratio(a.cases + _FEW_CASES, b.cases + _FEW_CASES)
    if ends:
        likeness += ends * (_overlap(a.from_start, b.from_start) + _overlap(a.from_end, b.from_end))
    return likeness - likeness.max()


def _overlap(a: Floats, b: Floats) -> Floats:
    overlap: Floats = np.log(np.maximum(np.sqrt(a) @ np.sqrt(b).T, _NOTHING_IN_COMMON))
    return overlap


def _ratio(a: Floats, b: Floats) -> Floats:
    ratio: Floats = np.abs(np.log(a)[:, np.newaxis] - np.log(b))
    return ratio


def frequency_agreement(a: Profiles, cases_a: Codes, b: Profiles, cases_b: Codes, certain: tuple[Codes, Codes]) -> Floats:
    """Return how far the frequencies of all pairs agree, 0 at best; ``certain`` has the codes of the certain pairs.

    >>> variants = Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 2, 3]), np.array([30, 70]))
    >>> profiles, cases, pairs = profiles_of(variants), variants.activity_cases, np.arange(2)
    >>> frequency_agreement(profiles, cases, profiles, cases, (pairs, pairs)).round(1).tolist()
    [[0.0, -4.1], [-4.1, 0.0]]
    """
    total = np.zeros((len(a.cases), len(b.cases)))
    for of_a, of_b in zip(_logarithms(a, cases_a), _logarithms(b, cases_b), strict=True):
        total += _agreement(*of_a, *of_b, certain)
    return total


def _logarithms(profiles: Profiles, cases: NDArray[np.int64]) -> list[tuple[Floats, Floats]]:
    """Return ln q of each activity and its variance by chance, for the share of cases and for the events per such case."""
    few = 0.5 * profiles.cases / cases  # half a case, so that all cases and one case have a variance too
    return [
        (np.log(profiles.cases + few), (1 - profiles.cases) / cases + 0.5 / cases**2),
        (np.log(profiles.repeats), (profiles.repeats - 1 + _LITTLE) / profiles.repeats**2 / cases),
    ]


def _agreement(q_a: Floats, s_a: Floats, q_b: Floats, s_b: Floats, certain: tuple[Codes, Codes]) -> Floats:
    i, j = certain
    spread = _spread(q_a[i] - q_b[j], s_a[i] + s_b[j]) if len(i) else _LARGEST
    agreement: Floats = -np.log1p((q_a[:, np.newaxis] - q_b) ** 2 / (s_a[:, np.newaxis] + s_b + spread))
    return agreement


def _spread(differences: Floats, by_chance: Floats) -> float:
    """Estimate τ²; a difference that is large for the present estimate counts less, as the Cauchy density asks."""
    spread = 0.0
    for _ in range(_STEPS):
        weights = 2 / (1 + differences**2 / (spread + by_chance))
        spread = min(max(float(np.mean(weights * differences**2 - by_chance)), 0.0), _LARGEST)
    return max(spread, _LEAST)


class FurtherEvidence(NamedTuple):
    """Hold what else speaks for each pair, or against it.

    ``scores`` is added to L in every round (:mod:`actalike.two_logs.cross_kin`), 0 or less. ``log_odds`` is added to those of
    the probability that behaviour gives a pair.
    """

    scores: Floats
    log_odds: Floats


def further_evidence(
    a: Variants, b: Variants, names: tuple[Mapping[str, str], Mapping[str, str]], use_labels: bool
) -> FurtherEvidence | None:
    """Return the sum of all evidence that is asked for beside behaviour; None if there is none."""
    kinds = []
    if use_labels:
        kinds.append(text_evidence(label_likeness(a.activities, b.activities, *names)))
    if not kinds:
        return None
    scores, log_odds = (np.sum(of_kinds, axis=0) for of_kinds in zip(*kinds, strict=True))
    return FurtherEvidence(scores, log_odds)


def text_evidence(likeness: Floats) -> FurtherEvidence:
    """Return what alike label texts are worth. It is not fitted."""
    return FurtherEvidence(likeness - 1, np.interp(likeness, *_TEXT_POINTS))


def label_likeness(
    activities_a: Sequence[str],
    activities_b: Sequence[str],
    names_a: Mapping[str, str] | None = None,
    names_b: Mapping[str, str] | None = None,
) -> Floats:
    """Return how alike the label texts of two logs are: a row for each label of a, a column for each label of b, 0 to 1.

    Equal labels have 1, opposites (*accept*, *reject*) at most 0.2, and labels with different numbers at most 0.5: see
    ``docs/label_text.md``. ``names_a`` and ``names_b`` are second names of labels.

    >>> label_likeness(["Accept offer", "Pay"], ["Pay", "Offer accepted", "Reject offer"]).round(2)
    array([[0.  , 0.85, 0.13],
           [1.  , 0.  , 0.  ]])
    >>> label_likeness(["A_01", "A_02"], ["A_01", "Register"], {"A_02": "register"})
    array([[1.  , 0.  ],
           [0.  , 0.95]])
    """
    labels = _across(activities_a, activities_b)
    if not (names_a or names_b):
        return labels
    shown_a, named_a = _shown(activities_a, names_a or {})
    shown_b, named_b = _shown(activities_b, names_b or {})
    likeness = _across(shown_a, shown_b)
    np.multiply(likeness, OF_NAMES, out=likeness, where=named_a[:, np.newaxis] | named_b)
    return np.maximum(likeness, labels, out=likeness, where=labels >= WRITTEN_ALIKE)


def _shown(activities: Sequence[str], names: Mapping[str, str]) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the text by which each label is compared, and whether that is a second name."""
    shown = [names.get(label, label) for label in activities]
    return shown, np.array([text != label for text, label in zip(shown, activities, strict=True)], dtype=bool)


def _across(texts_a: Sequence[str], texts_b: Sequence[str]) -> Floats:
    """Return how alike each text of a is to each of b; only these rows and columns of the joint matrix are kept."""
    texts = LabelTexts([*texts_a, *texts_b])
    likeness = np.empty((len(texts_a), len(texts_b)))
    for start in range(0, len(texts_a), _ROWS_AT_ONCE):
        stop = min(start + _ROWS_AT_ONCE, len(texts_a))
        likeness[start:stop] = texts.rows(start, stop)[:, len(texts_a) :]
    return likeness


class _GivenPair(NamedTuple):
    """Hold a pair as it was given, and where, in words."""

    where: str
    a: Any
    b: Any


def check_known(known: Any, activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Return known pairs, given as a mapping from label of a to label of b or as a list of pairs, after checking them.

    Each label must occur in its log, and be in one pair only.

    >>> check_known([("Register", "R")], ["Pay", "Register"], ["P", "R"])
    {'Register': 'R'}
    """
    if known is None:
        return {}
    given = _given_pairs(known, KNOWN, "must be a mapping from labels of a to labels of b, or a list of such pairs")
    return _checked(given, activities_a, activities_b)


def check_apart(
    apart: Any, known: Mapping[str, str], activities_a: Collection[str], activities_b: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Return the pairs that are certainly not one step, after checking that the logs have their labels and none is known.

    >>> sorted(check_apart([("Pay", "P"), ("Pay", "R")], {"Register": "R"}, ["Pay", "Register"], ["P", "R"]))
    [('Pay', 'P'), ('Pay', 'R')]
    """
    given = _given_pairs(apart, "apart", "must be a list of pairs of a label of a and a label of b")
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
        if known.get(a) == b:
            raise ActalikeError(f"{where}: {a!r} and {b!r} are a known pair too: say one of the two. {_NOTHING}")
    return frozenset((str(a), str(b)) for _, a, b in given)


def read_apart_pairs(path: str | Path, activities_a: Collection[str], activities_b: Collection[str]) -> list[tuple[str, str]]:
    """Read the pairs that are certainly not one step, as ``apart`` of :func:`actalike.match`, from the file of known pairs.

    In decisions.json of the page of two logs these are the pairs that a person rejected. If a person decided that a label has no
    partner, it is apart from all labels of the other log. In a CSV file they are the rows that say ``no`` in the column
    ``known``; a label of b without a partner is apart from the label of a that is called the same.
    """
    if begins_as_json(Path(path)):
        given = [_GivenPair(str(path), *pair) for pair in read_matching_decisions(path).apart(activities_a, activities_b)]
    else:
        given = _rejected_rows(read_label_table(path), set(activities_a))
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
    return list(dict.fromkeys((str(a), str(b)) for _, a, b in given))


def _rejected_rows(table: LabelTable, labels_a: Collection[str]) -> list[_GivenPair]:
    columns, marks = table.columns(MATCHED) or table.columns(["a", "b"]), table.columns([KNOWN])
    if columns is None or marks is None:
        return []
    given = []
    for line, cells in table.rows[1:]:
        a, b = (cells[column] for column in columns)
        if b and is_rejected(cells[marks[0]]) and (a or b in labels_a):
            given.append(_GivenPair(f"{table.path}, line {line:,}", a or b, b))
    return given


def read_known_pairs(path: str | Path, activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Read known pairs from a CSV file, or from decisions.json of the page of two logs: the label of b by the label of a.

    The columns are called ``label_a`` and ``label_b`` (or ``a`` and ``b``); without such a first line, they are the first two.
    If there is a column ``known``, as in what ``actalike match`` writes, only the rows that say ``yes`` there are read. Of
    decisions, the pairs that a person accepted are; those that a person rejected are ``apart`` of :func:`actalike.match`
    (``actalike.two_logs.read_apart_pairs``). A label that is not in its log, or is in two pairs, is an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "known.csv").write_text("label_a,label_b,known\\nPay,P,yes\\nCheck,C,\\n")
    ...     read_known_pairs(f"{folder}/known.csv", ["Check", "Pay"], ["C", "P"])
    {'Pay': 'P'}
    """
    if begins_as_json(Path(path)):
        decided = read_matching_decisions(path)
        known = decided.known().items()
        if not known and not decided.apart(activities_a, activities_b):
            raise ActalikeError(f"{path} has no known pair: accept or reject pairs on the page that you are sure of. {_NOTHING}")
        return _checked([_GivenPair(str(path), *pair) for pair in known], activities_a, activities_b)
    table = read_label_table(path)
    columns = table.columns(MATCHED) or table.columns(["a", "b"])
    rows = table.rows[1:]
    if columns is None:
        columns = [0, 1]
        if len(table.header()) < 2:
            raise ActalikeError(f"{path} has no two columns: it needs the labels of both logs, 'label_a,label_b'. {_NOTHING}")
        first = table.rows[0].cells
        if first[0] not in activities_a and first[1] not in activities_b:
            raise ActalikeError(
                f"{path}, line {table.rows[0].line:,}: {shortened(first[0])!r} and {shortened(first[1])!r} are neither names of "
                f"columns nor labels of the logs: begin with the line 'label_a,label_b', or correct the labels. {_NOTHING}"
            )
        rows = table.rows
    marks = table.columns([KNOWN])
    given = []
    for line, cells in rows:
        a, b = (cells[column] for column in columns)
        if not any(cells) or (marks is not None and not is_known(table, line, cells[marks[0]])):
            continue
        if not (a and b):
            raise ActalikeError(f"{path}, line {line:,} has a label without a partner: fill it in, or delete the row. {_NOTHING}")
        given.append(_GivenPair(f"{path}, line {line:,}", a, b))
    if not given and not read_apart_pairs(path, activities_a, activities_b):
        remedy = f"write yes into the column {KNOWN} of the rows that you are sure of" if marks else "add pairs, or leave it out"
        raise ActalikeError(f"{path} has no known pair: {remedy}. {_NOTHING}")
    return _checked(given, activities_a, activities_b)


def _given_pairs(pairs: Any, name: str, what: str) -> list[_GivenPair]:
    """Return pairs that were given as an argument of some name, each with its number; raise an error if they are none."""
    if isinstance(pairs, str | bytes) or not isinstance(pairs, Iterable):
        raise ActalikeError(
            f"{name} {what}, not {type(pairs).__name__}: for a file, give actalike.read_known_pairs(path, a.activities, "
            f"b.activities). {_NOTHING}"
        )
    listed = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
    for number, pair in enumerate(listed, start=1):
        if isinstance(pair, str | bytes) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise ActalikeError(f"{name} pair {number:,} must be a pair of two labels, that of a first, not {pair!r}. {_NOTHING}")
    return [_GivenPair(f"{name} pair {number:,}", *pair) for number, pair in enumerate(listed, start=1)]


def _check_labels(where: str, a: Any, b: Any, labels_a: Collection[str], labels_b: Collection[str]) -> None:
    """Raise an error if a pair has a label that is not in its log."""
    for label, own, other, log in ((a, labels_a, labels_b, "first"), (b, labels_b, labels_a, "second")):
        if not isinstance(label, str):
            raise ActalikeError(f"{where}: labels must be strings, not {label!r}. {_NOTHING}")
        if label not in own:
            turned = " The other log has it: labels of the first log come first." if label in other else ""
            question = turned or did_you_mean(label, sorted(own))
            raise UnknownActivityError(f"{where}: the {log} log has no activity {label!r}.{question} {_NOTHING}")


def _checked(given: Iterable[_GivenPair], activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Return the pairs as a mapping; raise an error that names the place of the first that is wrong."""
    known: dict[str, str] = {}
    partners: dict[str, str] = {}
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
        if a in known or b in partners:
            label, before = (a, known[a]) if a in known else (b, partners[b])
            now = b if a in known else a
            fault = f"is there twice with {now!r}" if before == now else f"has two partners, {before!r} and {now!r}"
            raise ActalikeError(f"{where}: {label!r} {fault}: keep one pair of each label. {_NOTHING}")
        known[str(a)], partners[str(b)] = str(b), str(a)
    return known
