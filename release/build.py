"""Build the wheel and the source archive of a commit: the same bytes whenever and wherever it is done, and checked.

    python release/build.py               # from the commit, into dist/; refuses changes that are not committed
    python release/build.py --uncommitted # from the tracked files as they are, to try a change

Both archives carry the time of the commit. In their README, links lead to the repository at this version, because a package index
shows it alone. The wheel is built from the source archive, as an installer would build it.
Equal bytes need equal versions of setuptools and zlib; constraints.txt names the first.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from packaging.metadata import Metadata

ROOT = Path(__file__).parents[1]
# what is about the repository (the recipe has the digest of the archive), and what is large: results and pictures of the docs
NOT_IN_THE_ARCHIVE = re.compile(r"\.github/|recipe/|docs/(results|pictures)/|docs/.*\.png$")
REPOSITORY = "https://github.com/actalike/actalike"
_LINK = re.compile(
    r"(!?)(\[[^\]]*\]\()(?!https?:|mailto:|#)([^)]+\))"
)  # ![words](place) or [words](place), to a place in the repository
_HOOK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"


class Built(NamedTuple):
    """Name the two files that were built."""

    wheel: Path
    archive: Path


def git(*words: str, root: Path = ROOT) -> str:
    """Return what a git command prints."""
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def tracked_files(root: Path = ROOT) -> dict[str, int]:
    """Return the files that git tracks and that are there, each with its mode: 0o755 if it can be run, else 0o644."""
    lines = [line.split(maxsplit=3) for line in git("ls-files", "--stage", "-z", root=root).rstrip("\0").split("\0")]
    return {name: 0o755 if mode == "100755" else 0o644 for mode, _, _, name in lines if (root / name).is_file()}


def build(out: Path, root: Path = ROOT) -> Built:
    """Build both files into a folder, which is made."""
    out.mkdir(parents=True, exist_ok=True)
    moment = int(git("log", "-1", "--format=%ct", root=root))
    with tempfile.TemporaryDirectory() as folder:
        sources, archives, unpacked = (Path(folder, name) for name in ("sources", "archives", "unpacked"))
        _copy(tracked_files(root), root, sources)
        readme = sources / "README.md"
        readme.write_text(with_whole_links(readme.read_text(encoding="utf-8"), _version(root)), encoding="utf-8")
        _call_setuptools("build_sdist", sources, archives, moment)
        (made,) = archives.iterdir()
        archive = out / made.name
        _write_normalised(made, archive, moment)
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        (tree,) = unpacked.iterdir()
        _call_setuptools("build_wheel", tree, Path(folder, "wheels"), moment)
        (wheel,) = Path(folder, "wheels").iterdir()
        shutil.copyfile(wheel, out / wheel.name)
    return Built(out / wheel.name, archive)


def with_whole_links(text: str, version: str) -> str:
    """Return a text of the repository whose links and pictures are found from anywhere.

    >>> with_whole_links("[how](docs/kin.md#a) ![a picture](docs/a.png) [a site](https://example.org)", "0.2.0").split(") ")[:2]
    ['[how](https://github.com/actalike/actalike/blob/v0.2.0/docs/kin.md#a', '![a picture](https://github.com/actalike/actalike/raw/v0.2.0/docs/a.png']
    """
    return _LINK.sub(
        lambda found: f"{found[1]}{found[2]}{REPOSITORY}/{'raw' if found[1] else 'blob'}/v{version}/{found[3]}", text
    )


def _version(root: Path) -> str:
    (found,) = re.findall(r'^__version__ = "(.*)"', (root / "src/actalike/version.py").read_text(encoding="utf-8"), re.MULTILINE)
    return str(found)


def _copy(files: dict[str, int], root: Path, target: Path) -> None:
    for name, mode in files.items():
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, copy)
        copy.chmod(mode)


def _call_setuptools(hook: str, tree: Path, out: Path, moment: int) -> None:
    out.mkdir()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment), "TZ": "UTC", "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", _HOOK, hook, str(out)], cwd=tree, env=environment, umask=0o022, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{hook} of setuptools failed; nothing was built:\n{done.stdout}{done.stderr}")


def _write_normalised(archive: Path, target: Path, moment: int) -> None:
    """Write an archive again with sorted members, the time of the commit, and no trace of who built it."""
    content = io.BytesIO()
    with tarfile.open(archive) as source, tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for member in sorted(source.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname, member.pax_headers = moment, 0, 0, "", "", {}
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            tar.addfile(member, source.extractfile(member) if member.isfile() else None)
    with target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=moment) as packed:
        packed.write(content.getvalue())


def problems(built: Built, root: Path = ROOT) -> list[str]:
    """Return what is wrong with the files: what is missing, what does not belong there, metadata that an index would refuse."""
    tracked = set(tracked_files(root))
    with zipfile.ZipFile(built.wheel) as wheel:
        in_wheel = set(wheel.namelist())
        (metadata,) = [wheel.read(name) for name in in_wheel if name.endswith(".dist-info/METADATA")]
    about = {name for name in in_wheel if name.split("/")[0].endswith(".dist-info")}
    package = {name.removeprefix("src/") for name in tracked if name.startswith("src/actalike/")}
    with tarfile.open(built.archive) as tar:
        in_archive = {member.name.partition("/")[2] for member in tar.getmembers() if member.isfile()}
    made = {name for name in in_archive if name in ("PKG-INFO", "setup.cfg") or name.startswith("src/actalike.egg-info/")}
    wanted = {name for name in tracked if not NOT_IN_THE_ARCHIVE.match(name)}
    found = _differences("The wheel", in_wheel - about, package) + _differences("The source archive", in_archive - made, wanted)
    if not any("/licenses/LICENSE" in name for name in about):
        found.append("The wheel has no licence.")
    return found + _metadata_problems(metadata)


def _differences(what: str, names: set[str], wanted: set[str]) -> list[str]:
    lacks, has = sorted(wanted - names), sorted(names - wanted)
    return [f"{what} lacks {name}." for name in lacks] + [f"{what} has {name}, which does not belong there." for name in has]


def _metadata_problems(metadata: bytes) -> list[str]:
    """Check what `twine check --strict` checks, without its 30 packages: valid fields, and a description in Markdown."""
    try:
        parsed = Metadata.from_email(metadata, validate=True)
    except ExceptionGroup as group:
        return [f"The metadata are not valid: {error}" for error in group.exceptions]
    if not parsed.description or parsed.description_content_type != "text/markdown":
        return ["The metadata have no description in Markdown."]
    return [f"The description has a link into the repository: {found[0]}." for found in _LINK.finditer(parsed.description)]


def main() -> None:
    """Build into dist/, check, and print names, sizes and digests."""
    parser = argparse.ArgumentParser(description="Build the wheel and the source archive, reproducibly.")
    parser.add_argument("--uncommitted", action="store_true", help="build the tracked files as they are")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="the folder (dist)")
    arguments = parser.parse_args()
    changed = git("status", "--porcelain").strip()
    if changed and not arguments.uncommitted:
        sys.exit(f"Not committed, so this is no build of a commit (--uncommitted to try it; nothing was built):\n{changed}")
    built = build(arguments.output)
    wrong = problems(built)
    if wrong:
        sys.exit("\n".join(wrong))
    for path in built:
        content = path.read_bytes()
        print(f"{path.name}  {len(content) / 1e6:.2f} MB  sha256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
