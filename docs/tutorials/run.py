"""Run the tutorials and store, or check, what they show.

    python docs/tutorials/run.py                    run all notebooks and store their outputs
    python docs/tutorials/run.py --check            run them, store nothing, and fail if an output differs from the stored one
    python docs/tutorials/run.py vectors two_logs   some of them
    python docs/tutorials/run.py --logs FOLDER      run them with real logs, print what they show of these, store nothing

Each notebook runs in a kernel of its own, in an empty folder, without the user's settings. Outputs of cells with the tag
``varies`` are stored once and not compared: seconds, bytes, and a picture by t-SNE, which depends on the last digits, and so on
the processor. Another picture is the same if its pixels are. What did not change keeps its bytes, so a second run changes no
file.
"""

import argparse
import base64
import copy
import difflib
import hashlib
import io
import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from matplotlib.image import imread
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

FOLDER = Path(__file__).parent
SOURCE = FOLDER.parents[1] / "src"
ORDER = ("clean_labels", "two_logs", "odd_cases", "vectors", "own_method", "hundred_million_events")  # as a reader meets them
VARIES = "varies"
REAL_LOG = "real-log"  # the tag of cells that show something of a real log
COLOURS = re.compile(r"\x1b\[[\d;]*m")
SECONDS = 300  # for one cell
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main() -> int:
    """Run the notebooks that are named, or all; return how many failed or differ."""
    parser = argparse.ArgumentParser(description="Run the tutorials and store, or check, what they show.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(ORDER)}; without any, all")
    parser.add_argument("--check", action="store_true", help="store nothing, fail if an output differs from the stored one")
    parser.add_argument("--logs", type=Path, metavar="FOLDER", help="run with real logs, and print what is shown of them")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(ORDER)):
        parser.error(f"no tutorial is called {', '.join(unknown)}; there are {', '.join(ORDER)}")
    return sum(not run(name, options.check, options.logs) for name in options.names or ORDER)


def run(name: str, check: bool, logs: Path | None) -> bool:
    """Run one notebook; print and return whether all is well."""
    path = FOLDER / f"{name}.ipynb"
    stored = nbformat.read(path, as_version=4)
    started = time.monotonic()
    try:
        executed = execute(stored, logs)
    except CellExecutionError as error:
        print(f"{name}: a cell fails.\n{COLOURS.sub('', str(error))}", file=sys.stderr)
        return False
    seconds = f"{time.monotonic() - started:.0f} s"
    if logs is not None:
        print(f"== {name} ({seconds})\n{real_log_texts(executed)}")
        return True
    if check:
        differences = [line for old, new in zip(stored.cells, executed.cells, strict=True) for line in difference(old, new)]
        print(f"{name}: {'as stored' if not differences else 'differs'} ({seconds})")
        print("".join(f"    {line}\n" for line in differences), end="", file=sys.stderr)
        return not differences
    text = as_text(keep_equal(stored, executed))
    changed = path.read_text(encoding="utf-8") != text
    if changed:
        path.write_text(text, encoding="utf-8")
    print(f"{name}: {'stored' if changed else 'unchanged'} ({seconds})")
    return True


def execute(notebook: NotebookNode, logs: Path | None = None) -> NotebookNode:
    """Return the notebook with the outputs of a run in a clean process and an empty folder."""
    executed = copy.deepcopy(notebook)
    with TemporaryDirectory() as work, TemporaryDirectory() as settings:
        foreign = ("ACTALIKE_", "JUPYTER_", "MPL", "PYTHONHASHSEED")  # what is shown must not depend on the order of sets
        environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        environment |= {
            "IPYTHONDIR": settings,
            "MPLCONFIGDIR": settings,
            "JUPYTER_DATA_DIR": settings,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")])),
            "OMP_NUM_THREADS": "1",  # sums in one order
            "TZ": "UTC",
        }
        if logs is not None:
            environment["ACTALIKE_LOGS"] = str(logs.resolve())
        client = NotebookClient(executed, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": work}})
        client.extra_arguments = ["--log-level=40"]  # of the kernel's own words, errors only
        client.execute(env=environment)
    return tidy(executed)


def tidy(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook without what differs from run to run: versions, times, ids of displays, lines of progress."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({"tags": cell.metadata.tags} if cell.metadata.get("tags") else {})
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def joined(outputs: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return outputs in which texts that were printed one after the other are one (where they are cut is chance)."""
    kept: list[NotebookNode] = []
    for output in outputs:
        output.pop("transient", None)
        if output.get("data") == {"text/plain": ""}:  # a line of progress, which is over
            continue
        if output.output_type == "stream" and kept and kept[-1].get("name") == output.name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def keep_equal(stored: NotebookNode, executed: NotebookNode) -> NotebookNode:
    """Return the executed notebook, with the stored outputs of the cells that show the same."""
    for old, new in zip(stored.cells, executed.cells, strict=True):
        if new.cell_type == "code" and old.outputs and not difference(old, new):
            new.outputs = old.outputs
    return executed


def difference(old: NotebookNode, new: NotebookNode) -> list[str]:
    """Return in which lines the outputs of a cell differ from the stored ones; none if they show the same, or may vary."""
    if new.cell_type != "code" or (VARIES in new.metadata.get("tags", []) and old.outputs):
        return []
    before, after = shown(old.outputs), shown(new.outputs)
    if before == after:
        return []
    lines = difflib.unified_diff(before, after, "stored", "now", lineterm="", n=0)
    return [f"cell {new.id}:", *(line[:300] for line in lines)]


def shown(outputs: list[NotebookNode]) -> list[str]:
    """Return what outputs show, as lines: texts as they are, pictures by their pixels."""
    lines: list[str] = []
    for output in outputs:
        if output.output_type == "stream":
            lines += [f"{output.name}: {line}" for line in output.text.splitlines()]
            continue
        for kind, content in sorted(output.get("data", {}).items()):
            text = pixels(content) if kind == "image/png" else content if isinstance(content, str) else repr(content)
            lines += [f"{kind}: {line}" for line in text.splitlines()]
    return lines


def pixels(png: str) -> str:
    """Return the size of a picture and a digest of its pixels."""
    picture: Any = imread(io.BytesIO(base64.b64decode(png)), format="png")
    return f"picture {picture.shape} {hashlib.sha256(picture.tobytes()).hexdigest()[:16]}"


def real_log_texts(notebook: NotebookNode) -> str:
    """Return the texts that the cells about a real log show."""
    cells = [cell for cell in notebook.cells if REAL_LOG in cell.metadata.get("tags", [])]
    outputs = [output for cell in cells for output in cell.outputs]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


def as_text(notebook: NotebookNode) -> str:
    """Return the file of a notebook."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.exit(main())
