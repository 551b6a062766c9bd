"""Keep a folder of results of a benchmark as one JSON file in docs/results, and read it again.

python measurements/result_folders.py pack DIR docs/results/NAME.json --command "actalike benchmark ..."
"""

import argparse
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from measurements.provenance import commit, machine, today, version, write


def pack(folder, file, command):
    """Write all JSON files of a folder to one, with the command that made them, the date, the code and the machine."""
    paths = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not paths:
        raise ValueError(f"{folder} has no results (.json): name a folder of results. Nothing was written.")
    facts = {"command": command, "date": today(), "commit": commit(), "version": version(), "machine": machine()}
    lines = ",\n".join(
        f"  {json.dumps(path.relative_to(folder).as_posix())}: {json.dumps(_read(path), ensure_ascii=False)}" for path in paths
    )
    head = json.dumps(facts, indent=1, ensure_ascii=False).rstrip("\n}")
    write(file, f'{head},\n "files": {{\n{lines}\n }}\n}}\n')


def _read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON ({error}): get an intact copy.") from None


@contextmanager
def unpacked(file):
    """Yield the folder that a file was made of, as a temporary one.

    >>> with TemporaryDirectory() as folder:
    ...     one = Path(folder, "one")
    ...     one.mkdir()
    ...     _ = Path(one, "a.json").write_text('{"b": 1}')
    ...     pack(one, Path(folder, "all.json"), "a command")
    ...     with unpacked(Path(folder, "all.json")) as again:
    ...         Path(again, "a.json").read_text()
    '{"b": 1}'
    """
    with TemporaryDirectory() as folder:
        for name, content in _read(file)["files"].items():
            path = Path(folder, name)
            if not path.resolve().is_relative_to(Path(folder).resolve()):
                raise ValueError(f"{file} has a file {name!r}, which is outside its folder: get an intact copy.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        yield Path(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    packing = parser.add_subparsers(required=True).add_parser("pack")
    packing.add_argument("folder", type=Path)
    packing.add_argument("file", type=Path)
    packing.add_argument("--command", required=True)
    asked = parser.parse_args()
    try:
        pack(asked.folder, asked.file, asked.command)
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
