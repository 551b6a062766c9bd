"""What all pictures share: how they are made, and saved with the same bytes for the same content."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from actalike.errors import ActalikeError
from actalike.storage import write_atomically


def need_matplotlib() -> None:
    """Ask for matplotlib in one sentence, where it is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ActalikeError("Pictures need matplotlib: pip install 'actalike[plot]'.") from None


def new_figure(width: float, height: float) -> Any:
    """An empty figure of so many inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figures(figures: Mapping[str, Any], folder: Path) -> list[Path]:
    """Save figures under their names, each whole or not at all; returns their paths."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ActalikeError(f"{folder} cannot be made: {error.strerror}.") from None
    for name, figure in figures.items():
        write_atomically(folder / name, partial(figure.savefig, format="png", metadata={"Software": None}))
    return [folder / name for name in figures]
