"""Tell whether the code behind a stored result has changed since the result was measured.

A result names its subjects; a subject is a set of modules. The digest is over what these modules do, and the scripts that the result's command
runs: comments, docstrings and layout are left out, so that better words do not make a result old. How good a method is depends on its own code and on its benchmark's; counting
and reading are left out there, because tests hold them equal to their definitions: they cannot change such a result, only its speed.
"""

import ast
import hashlib
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "actalike"

_SAME_STEP = (
    *(
        "alike_families",
        "clusters",
        "evidence",
        "evidence_weights",
        "groups",
        "label_patterns",
        "label_text",
        "label_words",
        "opposites",
        "pair_contexts",
    ),
    *(
        "pair_evidence",
        "shared_neighbours",
        "slips",
        "step_probabilities",
        "text_differences",
        "togetherness",
        "translations",
        "witnesses",
    ),
)
_MATCHING = (
    *("activity_profiles", "cross_kin", "frequency_agreement", "known_pairs", "label_likeness", "matching", "new_labels"),
    *("partner_probabilities", "split_steps"),
)
_COUNTING = (
    "counting/windows.py",
    "counting/window_counts.py",
    "log/event_log.py",
    "log/equal_cases.py",
    "log/packed_cases.py",
    "support/row_deduplication.py",
)
_ALL_BENCHMARKS = tuple(
    f"benchmark/{name}.py" for name in ("calibration", "follows", "intervals", "neighbour_similarity", "seeded_generator")
)
SUBJECTS = {
    "counting": _COUNTING,
    "reading": ("io/xes*.py", "io/xml*.py", "io/plain_traces.py", "io/source.py", "io/unpacking.py", "io/assemble.py"),
    "reading parquet": ("io/parquet*.py", "io/thrift.py"),
    "count vectors": (
        *("matrices/*.py", "embedding/embedding.py", "embedding/shares.py"),
        *(f"methods/{name}.py" for name in ("counts", "one_hot", "positional", "refinements", "substitution")),
    ),
    "kin": ("methods/kin*.py", "methods/centred_kin*.py"),
    "learned vectors": tuple(
        f"methods/{name}.py" for name in ("act2vec", "autoencoder", "autoencoder_training", "label_text", "process_structure")
    ),
    "intervals": ("embedding/resampling.py", "embedding/all_pairs.py"),
    "intrinsic benchmark": (*_ALL_BENCHMARKS, "benchmark/intrinsic/*.py"),
    "prediction benchmark": (*_ALL_BENCHMARKS, "benchmark/prediction/*.py", "prediction/*.py", "prediction/training/*.py"),
    "efficiency benchmark": ("benchmark/efficiency/*.py",),
    "label texts": ("labels/label_text.py", "labels/label_words.py", "labels/slips.py", "labels/opposites.py"),
    "same step": (*(f"labels/{name}.py" for name in _SAME_STEP), "labels/*.json", "labels/*.txt"),
    "labels benchmark": (*_ALL_BENCHMARKS, "benchmark/labels/*.py", "benchmark/labels/groupers/*.py"),
    "matching": (*(f"comparison/{name}.py" for name in _MATCHING), "comparison/*.json"),
    "matching benchmark": (*_ALL_BENCHMARKS, "benchmark/matching/*.py", "benchmark/matching/matchers/*.py"),
    "drift": ("comparison/drift_*.py", "comparison/log_drift.py", "comparison/company.py"),
    "odd events": ("oddities/*.py",),
    "anomalies benchmark": (*_ALL_BENCHMARKS, "benchmark/anomalies/*.py", "benchmark/anomalies/detectors/*.py"),
    "engines": ("counting/engines/*.py",),
    "frames": (*_COUNTING, "counting/engines/local.py", "counting/engines/lazy_frames.py"),
    "streams": (
        "counting/streams.py",
        "counting/stream_events.py",
        "counting/open_cases.py",
        "counting/window_keys.py",
        "counting/numberings.py",
        "counting/stream_moments.py",
    ),
    "map": ("plot/neighbour_layout.py", "plot/maps.py"),
    "flow layout": ("plot/layered_layout.py", "report/flow_data.py"),
}


def code_digest(subjects: list[str], command: str, root: Path = ROOT) -> str:
    """Return a digest of what the modules of the subjects do, and the scripts that a command names."""
    source = root / "src" / "actalike"
    patterns = sorted({pattern for subject in subjects for pattern in SUBJECTS[subject]})
    paths = sorted({path for pattern in patterns for path in _files(source, pattern)})
    scripts = sorted(root / name for name in set(re.findall(r"\bmeasurements/\w+\.py\b", command)))
    whole = hashlib.sha256()
    for path in [*paths, *scripts]:
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + meaning_of(path) + b"\0")
    return whole.hexdigest()[:16]


def _files(source: Path, pattern: str) -> list[Path]:
    found = list(source.glob(pattern))
    if not found:
        raise ValueError(f"no file is {pattern}: SUBJECTS of measurements/code_digest.py names it")
    return found


def meaning_of(path: Path) -> bytes:
    """Return what makes a difference: of Python the syntax tree without docstrings, of other files all bytes.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "one.py"
    >>> def meaning(text):
    ...     _ = path.write_text(text)
    ...     return meaning_of(path)
    >>> meaning("x = 1  # why") == meaning("x  =  1")
    True
    >>> meaning("x = 1") == meaning("x = 2")
    False
    """
    content = path.read_bytes()
    return _meaning_of_python(content) if path.suffix == ".py" else content


@cache  # many results depend on the same files
def _meaning_of_python(content: bytes) -> bytes:
    tree = ast.parse(content)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node) is not None
        ):
            del node.body[0]
    return ast.dump(tree).encode()
