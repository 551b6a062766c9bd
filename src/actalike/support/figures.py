"""Create figures, shorten labels for them, and save them so that the same figure gives the same bytes."""

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from actalike.errors import ActalikeError
from actalike.support.extras import Extra
from actalike.support.files import make_folder, write_atomically, written_together
from actalike.support.text import one_line, short_labels

MATPLOTLIB = Extra("plot", "matplotlib")

# Colours of groups and families, in figures and on the pages. They can be told apart with any colour vision, and labels in
# them can be read on white or, brighter, on black. The order begins like that of Okabe and Ito.
PALETTE = ("#0072b2", "#c25400", "#00855f", "#b0457f", "#9a6a00", "#6b4fb3", "#b3202c", "#137f8f", "#64741c", "#7a5037")
PALETTE_ON_DARK = ("#5ab4e8", "#ff9a52", "#3fd0a4", "#f0a0cb", "#f0c14b", "#b79df2", "#ff8a8f", "#6fd6e3", "#c0d36a", "#d2a98a")
GREY = "#777777"

# without dates and versions, the same figure gives the same bytes
_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def need_matplotlib() -> None:
    """Raise an error that says how to install matplotlib if it is missing."""
    MATPLOTLIB.load(user="A picture")


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure of this size in inches, which a notebook can show without pyplot."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(width, height), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    figure._repr_png_ = partial(_png, figure)  # notebooks call this method
    return figure


def shown(label: str, max_length: int = 40) -> str:
    """Return a label as figures show it: on one line, without formulas, the middle left out beyond ``max_length`` characters.

    >>> shown("Check\\ninvoice"), shown("Costs: $5"), shown("Ask for the missing papers of the customer", 20)
    ('Check invoice', 'Costs: \\\\$5', 'Ask for the…customer')
    """
    return one_line(label, max_length).replace("$", r"\$")  # matplotlib reads text between dollar signs as a formula


def all_shown(labels: Sequence[str], max_length: int) -> list[str]:
    """Return the labels of one figure as :func:`shown` does; those that differ read differently.

    >>> all_shown(["Declaration FINAL_APPROVED by A supervisor", "Declaration FINAL_APPROVED by B supervisor"], 24)
    ['Declarat…A…pervisor', 'Declarat…B…pervisor']
    """
    lines = [one_line(label, max(len(label), 1)) for label in labels]
    return [text.replace("$", r"\$") for text in short_labels(lines, max_length)]


def check_ending(path: str | Path) -> str:
    """Return the format of a figure file by the ending of its name, or raise an error if it is unknown.

    >>> check_ending("zipf.SVG")
    'svg'
    """
    ending = Path(path).suffix.lower().lstrip(".")
    if ending not in _METADATA:
        raise ActalikeError(f"{path} must end in .png, .svg or .pdf, the kind of picture to write.")
    return ending


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure as PNG, SVG or PDF, whole or not at all; the same figure gives the same bytes."""
    ending = check_ending(path)
    from matplotlib import rc_context

    content = io.BytesIO()  # not the file: on a full disk matplotlib raises errors of its own
    with rc_context({"svg.hashsalt": "actalike"}), boxes_for_missing_glyphs():
        figure.savefig(content, format=ending, metadata=_METADATA[ending])
    write_atomically(path, lambda part: part.write_bytes(content.getvalue()))


def finish(figure: Any, path: str | Path | None) -> Any:
    """Save a figure if a path is given, and return it."""
    if path is not None:
        save_figure(figure, path)
    return figure


def save_figures(figures: Mapping[str, Any], folder: Path) -> list[Path]:
    """Save figures under their names in a folder, all or none, and return their paths."""
    make_folder(folder)
    with written_together():
        for name, figure in figures.items():
            save_figure(figure, folder / name)
    return [folder / name for name in figures]


@contextmanager
def boxes_for_missing_glyphs() -> Iterator[None]:
    """Silence matplotlib's warning about characters that the font lacks: the box drawn for each shows it already."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _png(figure: Any) -> bytes:
    buffer = io.BytesIO()
    with boxes_for_missing_glyphs():
        figure.savefig(buffer, format="png", metadata=_METADATA["png"])
    return buffer.getvalue()
