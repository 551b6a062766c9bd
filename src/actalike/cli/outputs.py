"""Where commands write: no input is ever written over, and no file without ``--overwrite``; a minus is standard output.

Outputs are checked before a command does any work.
"""

import glob
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fnmatch import fnmatch
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

import typer

from actalike.cli.help import OUTPUT
from actalike.counting import alternatives, local_name
from actalike.errors import ActalikeError
from actalike.support.files import Name, check_no_input, check_place, existing_files_kept, same_file

OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.", rich_help_panel=OUTPUT)]


STANDARD = Path("-")  # standard input in place of a log, standard output in place of an output
GivenPath = TypeVar("GivenPath", Path, Path | None)


def check_outputs(
    outputs: Sequence[Path],
    inputs: Iterable[Name],
    overwrite: bool,
    *,
    option: str = "--output",
    folders: bool = False,
    same_is_kept: bool = False,
) -> None:
    """Check that the outputs of a command can be written and that nothing would be lost.

    An output that is one of the inputs, by whatever path or link, is an error, and so is one that exists, without ``overwrite``.
    ``folders``: the command creates missing folders. ``same_is_kept``: the command writes the same bytes each time, so that only
    :func:`writing` can tell whether a file would be lost.
    """
    given = list(inputs)
    outputs = [output for output in outputs if output != STANDARD]
    places = [check_place(output, folders=folders) for output in outputs]
    for a, b in combinations(range(len(places)), 2):
        if places[a] == places[b] or same_file(places[a], [places[b]]):
            raise ActalikeError(f"{outputs[a]} and {outputs[b]} are the same file: choose another {option}. Nothing was written.")
    for output, place in zip(outputs, places, strict=True):
        check_no_input(output, given, option=option)
        if place.exists() and not overwrite and not same_is_kept:
            raise ActalikeError(
                f"{output} exists already: give --overwrite to replace it, or choose another {option}. Nothing was written."
            )


def check_csv(output: Path | None, example: str) -> None:
    """Check that the name of an output is that of a CSV file."""
    if output is not None and output != STANDARD and output.suffix.lower() != ".csv":
        raise ActalikeError(f"--output {str(output)!r} is not the name of a CSV file, such as {example}. Nothing was read.")


def is_printed(output: Path | None, as_json: bool) -> bool:
    """Return whether the output goes to standard output, where nothing else may be printed then."""
    if output == STANDARD and as_json:
        raise ActalikeError("-o - and --json would both be printed: leave one of them out. Nothing was read.")
    return output == STANDARD


@contextmanager
def written_to(output: GivenPath, ending: str = ".csv") -> Iterator[GivenPath]:
    """Yield where an output is written, if there is one; for standard output, a temporary file that is printed afterwards."""
    if output != STANDARD:
        yield output
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"output{ending}"
        yield file
        sys.stdout.flush()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(file.read_bytes())
        else:  # where Python takes what is printed
            sys.stdout.write(file.read_text(encoding="utf-8"))


def writing(overwrite: bool) -> AbstractContextManager[None]:
    """Return the context in which a command writes its outputs: without ``overwrite``, a file that appeared meanwhile is kept."""
    return nullcontext() if overwrite else existing_files_kept()


def files_read(source: str, *outputs: Path) -> Iterator[Name]:
    """Yield the files that an engine, or this process, reads as ``source``: a file, a folder, a pattern, an address, a database.

    An output among them that does not exist yet is an error: the next command would read it as a part of the log.
    """
    source = local_name(source)
    if "://" in source:
        return
    outputs = tuple(output for output in outputs if output != STANDARD)
    yield source
    yield f"{source}.wal"  # of a database
    if Path(source).is_dir():
        for output in outputs:
            if Path(source).resolve() in check_place(output, folders=True).parents:
                raise ActalikeError(f"{output} is in the folder {source}, which is the input: choose another --output.")
    elif not Path(source).exists():
        for pattern in alternatives(source):
            for output in outputs:
                # an asterisk matches slashes here, so an output that is deeper than the pattern says is rejected too
                if fnmatch(os.path.realpath(output), os.path.realpath(pattern).replace("**/", "*")):
                    raise ActalikeError(f"{output} is among the files {source}, which are the input: choose another --output.")
            yield from glob.glob(pattern, recursive=True)


def files_in(folder: Path) -> Iterator[Path]:
    """Yield all files of a folder of results."""
    return (path for path in folder.rglob("*") if path.is_file())
