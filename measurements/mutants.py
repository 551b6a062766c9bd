"""Seeded mutants: plant the same 100 small faults in the core, one after the other, and count those that the tests notice.

    python measurements/mutants.py [--first N]    plant them, in a copy of the tree (make mutants)
    python measurements/mutants.py list           choose them anew

`golden/mutants.json` names the mutants by function, line and changed line, wherever the function is: after files were merged or moved
they are the same. One whose line is gone is replaced by the next of the seed. A mutant is tried by the tests of its room, first by those
that name its module or function, then by the golden outputs of one log (`golden.py`); the tests of other rooms are not asked. What is
known is kept in `out/mutants-*.json`, by the state of the code and the tests: stop it and start it again at will. The working tree is
never changed.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = Path("src") / "actalike"
CHOSEN, OUT = ROOT / "measurements" / "golden" / "mutants.json", ROOT / "measurements" / "out"
LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs")).absolute()
ROOMS = ("log", "io", "counting", "matrices", "embedding", "methods", "labels", "two_logs", "oddities")
NOT = re.compile("object_centric|ocel|engines|act2vec|autoencoder|methods/label_text|process_structure")
N, MOST, SEED = 100, 12, 0  # mutants in all, and in a room
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no")
GOLDEN = ("measurements/golden.py", "--only", "* | Env_Permit")

SWAPPED = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "+"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip


class Mutant(NamedTuple):
    """A changed line of a function."""

    function: str
    before: str
    after: str


class Place(NamedTuple):
    """Where a mutant is: the file, the number of the line from 0, and the line as it would be."""

    path: Path
    line: int
    text: str


class Finder(ast.NodeVisitor):
    """Find the mutants of a module."""

    def __init__(self, path):
        self.path, self.lines, self.names, self.found = path, (ROOT / path).read_text(encoding="utf-8").splitlines(), [], []
        self.visit(ast.parse("\n".join(self.lines)))

    def add(self, line, start, end, text):
        """Note a mutant: what stands from one byte of a line to another is replaced."""
        before = self.lines[line - 1].encode()
        after = (before[:start] + text.encode() + before[end:]).decode()
        texts = (text.partition("  # ")[0].strip() for text in (before.decode(), after))  # without comments
        mutant = Mutant(".".join(self.names) or "<module>", *texts)
        self.found.append((mutant, Place(self.path, line - 1, after)))

    def replace(self, node, text):
        """Replace an expression on one line; {} stands for what it was."""
        if node.lineno == node.end_lineno:
            was = self.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
            self.add(node.lineno, node.col_offset, node.end_col_offset, text.replace("{}", was))

    def swap(self, left, operator, right):
        """Replace the operator between two expressions, unless it joins texts or stands at the end of a line."""
        is_text = any(isinstance(one, ast.JoinedStr) or isinstance(getattr(one, "value", 0), str) for one in (left, right))
        if type(operator) in SWAPPED and left.end_lineno == right.lineno and not (is_text and isinstance(operator, ast.operator)):
            old, new = SWAPPED[type(operator)]
            between = self.lines[right.lineno - 1].encode()[left.end_col_offset : right.col_offset].decode()
            if old in between:
                start = left.end_col_offset + between.index(old)
                self.add(right.lineno, start, start + len(old), new)

    def visit_in(self, node):
        """Visit what a function or class does: neither its decorators nor its types."""
        if node.name in ("__repr__", "_repr_html_", "__str__"):
            return
        self.names.append(node.name)
        arguments = getattr(node, "args", None)
        for part in [*node.body, *filter(None, [*arguments.defaults, *arguments.kw_defaults] if arguments else [])]:
            self.visit(part)
        self.names.pop()

    visit_FunctionDef = visit_ClassDef = visit_in

    def skip(self, node):
        """Pass over words, and what is said of errors."""

    visit_Raise = visit_Assert = visit_JoinedStr = skip

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node):
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            if not isinstance(node.test, ast.UnaryOp | ast.Compare):
                self.replace(node.test, "not ({})")
            self.generic_visit(node)

    def visit_Return(self, node):
        if not isinstance(node.value, ast.Constant | None):
            self.replace(node.value, "None")
        self.generic_visit(node)

    def visit_Compare(self, node):
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self.swap(left, operator, right)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        self.swap(node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        for left, right in pairwise(node.values):
            self.swap(left, node.op, right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self.add(node.lineno, node.col_offset, node.col_offset + len("not "), "")
        self.generic_visit(node)

    def visit_Slice(self, node):
        for bound in (node.lower, node.upper):
            if isinstance(bound, ast.Name | ast.Attribute):
                self.replace(bound, "{} + 1")
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.replace(node, str(node.value + 1))


def all_mutants():
    """Return the places of all mutants, in the order of the seed. Lines that a function has twice are left out."""
    paths = sorted(path.relative_to(ROOT) for path in (ROOT / SOURCE).rglob("*.py"))
    found = [one for path in paths for one in Finder(path).found]
    lines = Counter(mutant for mutant, _ in {(mutant[:2], place[:2]) for mutant, place in found})
    once = {mutant: place for mutant, place in found if lines[mutant[:2]] == 1}
    return dict(sorted(once.items(), key=lambda one: hashlib.sha256(repr((SEED, *one[0])).encode()).digest()))


def chosen(known):
    """Return the mutants to plant with their places, and how many of the stored ones are gone: the next of the core replace them."""
    there = all_mutants()
    kept = {mutant: there[mutant] for mutant in known if mutant in there}
    taken = {place_of(mutant) for mutant in known}
    rooms = Counter(room_of(place.path) for place in kept.values())
    for mutant, place in there.items():
        room = room_of(place.path)
        is_core = room in ROOMS and not NOT.search(place.path.as_posix())
        if is_core and len(kept) < N and rooms[room] < MOST and place_of(mutant) not in taken:
            taken.add(place_of(mutant))
            rooms[room] += 1
            kept[mutant] = place
    return kept, sum(mutant not in there for mutant in known)


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def place_of(mutant):
    """Return what has one mutant at most: a function, or a line outside of functions."""
    return mutant.before if mutant.function == "<module>" else mutant.function


class Trial:
    """A copy of the tree in which mutants are planted and tests run."""

    def __init__(self, folder):
        self.copy = Path(folder) / ROOT.name
        listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True)
        state = hashlib.sha256()
        for name in filter(lambda name: (ROOT / name).is_file(), listed.splitlines()):
            (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.copy / name)
            if name.startswith(("src/", "tests/")):
                state.update(name.encode() + (ROOT / name).read_bytes())
        self.file = OUT / f"mutants-{state.hexdigest()[:12]}.json"
        self.known = json.loads(self.file.read_text()) if self.file.exists() else {"sound": {}, "mutants": {}}

    def keep(self, kind, key, value):
        self.known[kind][key] = value
        OUT.mkdir(exist_ok=True)
        self.file.with_suffix(".part").write_text(json.dumps(self.known, indent=1))
        self.file.with_suffix(".part").replace(self.file)

    def run(self, words, limit=None):
        """Run Python in the copy; return the exit code, None if it took too long, and the tests that failed."""
        env = {**os.environ, "PYTHONPATH": str(self.copy / "src"), "ACTALIKE_LOGS": str(LOGS)}
        if limit is not None:
            env["PYTHONDONTWRITEBYTECODE"] = "1"  # only the sound code is kept compiled
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
        command = [sys.executable, *map(str, words)]
        process = subprocess.Popen(command, cwd=self.copy, env=env, start_new_session=True, **pipes)
        try:
            said, _ = process.communicate(timeout=limit)
        except BaseException as error:  # Ctrl-C too
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if isinstance(error, subprocess.TimeoutExpired):
                return None, []
            raise
        return process.returncode, re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)

    def sound(self, room, words):
        """Return which tests of a room fail without any mutant, and how long all take."""
        if room not in self.known["sound"]:
            start = time.monotonic()
            code, failed = self.run(words)
            failed = failed or ["all"] * (code not in (0, 5))  # 5: there are no tests
            self.keep("sound", room, {"failed": failed, "seconds": round(time.monotonic() - start)})
        return self.known["sound"][room]

    def tests(self, path, function):
        """Return the tests of the room of a module: those that name it or the function, with its own examples, and the others."""
        module = path.relative_to(SOURCE)
        names = {module.stem, f"test_{module.stem}", *function.split(".")} - {"__init__", "test___init__", "<module>"}
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        room = room_of(path)
        found = sorted((self.copy / "tests" / room).rglob("test_*.py")) or sorted((self.copy / "tests").rglob(f"test_{room}*.py"))
        names_it = {
            one.relative_to(self.copy): bool(pattern.search(f"{one.stem} {one.read_text(encoding='utf-8')}")) for one in found
        }
        return room, [path, *(one for one in names_it if names_it[one])], [one for one in names_it if not names_it[one]]

    def noticed_by(self, mutant, place):
        """Plant a mutant, and return the first test that fails; "golden outputs" if only they differ; None if nothing does."""
        room, near, far = self.tests(place.path, mutant.function)
        examples = SOURCE / room if (self.copy / SOURCE / room).is_dir() else place.path
        sound = self.sound(room, [*PYTEST, examples, *near[1:], *far])
        sound_golden = self.sound("golden", GOLDEN)
        path = self.copy / place.path
        lines = path.read_text(encoding="utf-8").split("\n")
        try:
            path.write_text("\n".join([*lines[: place.line], place.text, *lines[place.line + 1 :]]), encoding="utf-8")
            skipped = [word for test in sound["failed"] for word in ("--deselect", test)]
            for tests in filter(None, (near, far)):
                code, failed = self.run([*PYTEST, "-x", *tests, *skipped], 120 + 3 * sound["seconds"])
                if code not in (0, 5):
                    return "time" if code is None else failed[0] if failed else f"exit code {code}"
            if not sound_golden["failed"] and self.run(GOLDEN, 120 + 3 * sound_golden["seconds"])[0] != 0:
                return "golden outputs"
        finally:
            path.write_text("\n".join(lines), encoding="utf-8")
        return None


def said_of(mutant, place, by):
    verdict = f"killed by {by}" if by else "SURVIVED"
    return f"{verdict}\n    {place.path}:{place.line + 1}, {mutant.function}\n    - {mutant.before}\n    + {mutant.after}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mode", nargs="?", choices=("run", "list"), default="run")
    parser.add_argument("--first", type=int, default=N, help="only the first of them")
    options = parser.parse_args()
    if options.mode == "list":
        CHOSEN.write_text(json.dumps([*chosen([])[0]], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    mutants, gone = chosen([Mutant(*one) for one in json.loads(CHOSEN.read_text(encoding="utf-8"))])
    todo = [*mutants.items()][: options.first]
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(folder)
        known = trial.known["mutants"]
        for mutant, place in todo:
            if " | ".join(mutant) not in known:
                start = time.monotonic()
                by = trial.noticed_by(mutant, place)
                trial.keep("mutants", " | ".join(mutant), {"by": by, "seconds": round(time.monotonic() - start)})
                print(said_of(mutant, place, by), flush=True)
    found = [(mutant, place, known[" | ".join(mutant)]["by"]) for mutant, place in todo]
    survived = [said_of(*one) for one in found if not one[2]]
    golden = sum(by == "golden outputs" for _, _, by in found)
    print("", *survived, "", sep="\n")
    print(
        f"{len(found)} mutants: {len(found) - len(survived)} killed ({golden} by golden outputs only), {len(survived)} survived."
    )
    if gone:
        print(f"{gone} of the stored mutants are gone with their lines; others of the seed stand in for them.")
    if trial.known["sound"]["golden"]["failed"]:
        print("Golden outputs were not used: there are no logs, or the outputs differ without any mutant.")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: the tests are stopped and the copy is removed
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped. What is known is kept: the next run goes on from there.")
