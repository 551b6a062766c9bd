"""Attack saved files: damage them at random and on purpose, load what is left, use it, and save it again.

A mutant is *refused* if loading it raises one FileFormatError of one sentence. Otherwise it must be *the same*: everything that can
be done with what was loaded works without an error or a warning, within seconds and little memory, and saving it gives a file that
loads equal again. Everything else is wrong.
"""

import math
import resource
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import actalike
from actalike import Embedding, FileFormatError, OddStream, Predictor, StreamCounter, WindowCounts, embed, load
from actalike.counting import directly_follows
from actalike.plot.embeddings import leaf_order
from actalike.plot.neighbour_layout import neighbour_layout
from tests.attacks import Outcome
from tests.attacks._saved_file_mutants import METHODS, make_originals, mutant

TITLE = "saved files"

SECONDS = 2.0  # of the processor, for all that is done with one mutant
MEMORY = 512 << 20  # bytes that loading and using one mutant of a few thousand bytes may ask for


def missing() -> str | None:
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    originals = make_originals(folder)
    while True:
        original = random.choice(originals)
        described, content = mutant(random, original, originals)
        yield judge(content, original.name, described, random, folder)


def judge(content: bytes, original: str, described: str, random: Random, folder: Path) -> Outcome:
    """Load a mutant, use what was loaded, save it and load it again."""
    path = folder / "mutant.actalike"
    path.write_bytes(content)
    started = time.process_time()
    try:
        with _little_memory(), warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                thing = load(path)
            except FileFormatError as error:
                outcome = Outcome("refused") if _is_a_sentence(str(error), path) else Outcome("wrong", f"its words: {error}")
            else:
                outcome = _used(thing, random, folder)
    except Exception as error:
        outcome = Outcome("wrong", f"{type(error).__name__}: {error}")
    seconds = time.process_time() - started
    if seconds > SECONDS:
        outcome = Outcome("wrong", f"{seconds:.1f} s. {outcome.detail}")
    if outcome.verdict != "wrong":
        return outcome
    return Outcome("wrong", f"{original}, {described}: {outcome.detail}. Load {path.name}.")


def _is_a_sentence(words: str, path: Path) -> bool:
    return words.startswith(str(path)) and words.endswith(".") and "\n" not in words and len(words) < 600 + len(str(path))


def _used(thing: Any, random: Random, folder: Path) -> Outcome:
    again, third = folder / "again.actalike", folder / "third.actalike"
    thing.save(again)
    first = again.read_bytes()
    load(again).save(third)
    if third.read_bytes() != first:
        return Outcome("wrong", "what was saved again loads to something else")
    USES[type(thing)](thing, random, folder)
    return Outcome("same")


def _expect(holds: Any, what: str) -> None:
    """Raise an error that says what is wrong, unless it holds."""
    if not holds:
        raise AssertionError(what)


def _use_embedding(embedding: Embedding, random: Random, folder: Path) -> None:
    labels = embedding.activities
    longest = 100_000 + 10 * max(map(len, labels))  # a label may have a million characters
    repr(embedding), embedding._repr_html_()
    distances = embedding.distances()
    _expect(distances.shape == (len(labels), len(labels)) and np.isfinite(distances).all(), "distances")
    _expect(all(math.isfinite(value) for *_, value in embedding.most_similar_pairs(None)), "pairs")
    for _ in range(2):
        a, b = random.choice(labels), random.choice(labels)
        _expect(math.isfinite(embedding.similarity(a, b)), "a similarity")
        embedding.most_similar(a)
        _expect(np.isfinite(embedding[a]).all(), "a vector")
        if embedding.explains:
            try:
                shares = embedding.explain(a, b, random.choice((None, 3)))
            except actalike.ActalikeError as error:
                _expect("nothing here reads it" in str(error), str(error))
            else:
                _expect(all(math.isfinite(share.share) and len(share.context) < longest for share in shares), "shares")
    if random.random() < 0.2:
        _expect(embedding.to_frame().shape == (len(labels), embedding.vectors.shape[1] + 1), "the frame")
        embedding.to_word2vec(folder / "x.vec")
        _expect(Embedding.from_word2vec(folder / "x.vec").activities == labels, "the labels of word2vec")
        embedding.to_projector(folder / "projector")
        _expect(np.isfinite(neighbour_layout(distances)).all(), "places on a map")
        leaf_order(distances)


def _use_counts(counts: WindowCounts, random: Random, folder: Path) -> None:
    repr(counts)
    _expect(counts.activity_counts.sum() == counts.n_events, "counts of activities")
    _expect((counts + counts).n_events == 2 * counts.n_events, "sums of tables")
    counts.marginal(random.randint(1, counts.window))
    if counts.window >= 2:
        directly_follows(counts)
    method = random.choice(METHODS)
    try:
        embedding = embed(counts, method)
    except actalike.ActalikeError as error:
        _expect("window" in str(error), str(error))
    else:
        _expect(np.isfinite(embedding.distances()).all(), f"distances of {method}")


def _use_stream(stream: StreamCounter, random: Random, folder: Path) -> None:
    repr(stream)
    n_events = stream.n_events
    scoring = OddStream(stream) if 3 <= stream.window <= 21 else stream
    arrived = scoring.add(["new", "📄1", "new"], ["a", "z", "a"]) or []
    counts = stream.counts()
    _use_counts(counts, random, folder)
    _expect(stream.n_events == n_events + 3, "the number of events")
    settled = scoring.close(["new", "📄1"]) or []
    _expect(all(math.isfinite(score.surprise) and score.surprise >= 0 for score in [*arrived, *settled]), "scores")
    _expect(stream.counts() == counts, "counts after closing")
    try:
        stream.save(folder / "stream.actalike")
    except actalike.ActalikeError as error:
        _expect("n_events" in str(error), str(error))
    else:
        _expect(load(folder / "stream.actalike").counts() == counts, "counts after a restart")


def _use_predictor(predictor: Predictor, random: Random, folder: Path) -> None:
    repr(predictor)
    case = [random.choice(predictor.activities) for _ in range(random.choice((1, 3, 10)))]
    _expect(abs(sum(chance for _, chance in predictor.predict(case, None)) - 1) < 1e-9, "the sum of probabilities")


USES: dict[type, Callable[[Any, Random, Path], None]] = {
    Embedding: _use_embedding,
    WindowCounts: _use_counts,
    StreamCounter: _use_stream,
    Predictor: _use_predictor,
}


@contextmanager
def _little_memory() -> Iterator[None]:
    """Let the process ask for no more than a little beyond what it has, where the system tells and limits that (Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
