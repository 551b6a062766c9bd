"""Embed activities by act2vec (De Koninck et al., 2018): word2vec with cases as sentences, trained by gensim."""

import logging
from collections.abc import Iterator
from typing import Literal, Self

import numpy as np

from actalike.counting import check_window
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.registry import Estimator, Lap, no_lap
from actalike.support.extras import Extra

GENSIM = Extra("neural", "gensim")
ALGORITHMS = ("cbow", "skipgram")

_DIMENSIONS = 16
_MAX_SENTENCE = 10_000  # gensim drops the words of a sentence beyond this length
_FIRST_RATE, _LAST_RATE = 0.025, 0.0001
# As published: 5 epochs when the model is made, then 10 calls of 10 epochs. Each call starts at the first learning rate again. In
# the first call the rate falls to the last rate; in the others, by a mistake of the authors' code, only to 0.023.
_SCHEDULE = ((10, _LAST_RATE), *((10, 0.023),) * 9)


class Act2VecEmbedder(Estimator):
    """Learn 16 numbers for each activity by predicting activities from their neighbours (cbow) or the reverse (skipgram).

    Needs the extra ``neural``. As published, ``window`` has gensim's meaning: that many activities on *each* side, shortened at
    random for each event. With ``span`` it has the meaning of the count methods: ``(window - 1) / 2`` activities on each side,
    never shortened.

    >>> Act2VecEmbedder("skipgram", window=5).name, Act2VecEmbedder(span=True).name
    ('act2vec-skipgram-w5', 'act2vec-cbow-span3')
    """

    family = "act2vec"
    window: int
    needs = (GENSIM,)
    parts = ("training",)
    passes_over = "cases, 105 times"

    def __init__(self, algorithm: Literal["cbow", "skipgram"] = "cbow", window: int = 3, span: bool = False) -> None:
        self.algorithm = algorithm
        self.window = window
        self.span = span

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"act2vec-{self.algorithm}-{'span' if self.span else 'w'}{self.window}"

    def fit(self, log: EventLog, lap: Lap = no_lap) -> Self:
        """Train on the cases in the order of the log: 105 passes in all. The same log gives the same vectors."""
        self.check_source(log)
        if self.algorithm not in ALGORITHMS:
            raise ActalikeError(f"algorithm={self.algorithm!r} must be one of {', '.join(ALGORITHMS)}.")
        window = check_window(self.window)
        if self.span and (window < 3 or window % 2 == 0):
            raise ActalikeError(f"{self.name}: a span must be odd and >= 3, because gensim looks equally far to both sides.")
        word2vec = GENSIM.load("gensim.models.word2vec", user=self.name)
        sentences = list(_sentences(log))
        logger = logging.getLogger("gensim")
        level_before = logger.level
        logger.setLevel(logging.ERROR)  # it would warn that the rate rises between calls, which is the published schedule
        try:
            model = word2vec.Word2Vec(
                sentences,
                vector_size=_DIMENSIONS,
                window=(window - 1) // 2 if self.span else window,
                shrink_windows=not self.span,
                sg=int(self.algorithm == "skipgram"),
                min_count=0,
                workers=1,
                seed=1,
                alpha=_FIRST_RATE,
                min_alpha=_LAST_RATE,
            )
            for epochs, last_rate in _SCHEDULE:
                model.train(sentences, total_examples=len(sentences), epochs=epochs, start_alpha=_FIRST_RATE, end_alpha=last_rate)
        finally:
            logger.setLevel(level_before)
        vectors = np.array([model.wv[str(code)] for code in range(len(log.activities))], dtype=np.float64)
        self.embedding_ = Embedding(log.activities, vectors, method=self.name)
        lap("training")
        return self


def _sentences(log: EventLog) -> Iterator[list[str]]:
    """Yield the cases as lists of words. A case that is too long for gensim is cut into pieces, so that no event is lost."""
    words = [str(code) for code in range(len(log.activities))]  # not labels: gensim accepts no empty word, a log may have one
    for start, end in zip(log.offsets[:-1].tolist(), log.offsets[1:].tolist(), strict=True):
        for piece in range(start, end, _MAX_SENTENCE):
            yield [words[code] for code in log.codes[piece : min(piece + _MAX_SENTENCE, end)]]
