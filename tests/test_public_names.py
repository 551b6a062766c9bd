"""The public names: all there, all documented, and nothing else shows. What is promised stays, or the changelog says otherwise.

``tests/snapshot.txt`` has what is promised: names with parameters and members, commands with options, samples of saved files.
``python -m tests.test_public_names`` adds what is new to it.
"""

import ast
import hashlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import actalike
from actalike.cli.main import app

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "tests" / "samples"
SNAPSHOT = ROOT / "tests" / "snapshot.txt"
SAVED = [*sorted(SAMPLES.glob("0.*/*")), *sorted(SAMPLES.glob("*-v*"))]
REFUSED = {"0.1/stream-counter.actalike"}  # CHANGELOG.md says so, of 0.2.0
MAPPING = {"b": "a", "a": "a", 'Check, then "pay"': "📄", "c d": "c d", "📄": "📄"}


def test_every_public_name_is_there():
    for name in actalike.__all__:
        assert getattr(actalike, name) is not None


def test_dir_shows_the_public_names_only():
    assert set(dir(actalike)) == {*actalike.__all__, "__version__"}


def test_type_checkers_see_the_names_that_are_there():
    tree = ast.parse(Path(actalike.__file__).read_text(encoding="utf-8"))
    block, lazy = [node for node in tree.body if isinstance(node, ast.If)]
    assert ast.unparse(lazy.test) == "not TYPE_CHECKING"  # else a wrong name would be Any to them, and no error
    assert [node.name for node in ast.walk(lazy) if isinstance(node, ast.FunctionDef)] == ["__getattr__"]
    seen = {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}
    assert set(seen) == set(actalike.__all__)
    for public, (module, name) in seen.items():
        assert public == name
        room = actalike._ROOM_OF[public]
        assert module == ("actalike" if room == public else f"actalike.{room}")


def test_a_name_that_is_not_public_is_an_attribute_error():
    assert not hasattr(actalike, "nosuch")


def test_rooms_are_attributes_before_anything_has_loaded_them_and_can_be_imported_by_their_names():
    """``methods`` was a function once, and hid the package."""
    code = (
        "import actalike\nprint(actalike.errors.LogError.__name__, actalike.labels.in_words.__name__)\n"
        "import actalike.methods.registry as registry\nprint(registry.DEFAULT_METHOD)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["LogError", "in_words", actalike.DEFAULT_METHOD]


def test_the_version_is_said_once():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "actalike.version.__version__"}


def test_the_function_methods_of_version_0_1_warns_and_works():
    with pytest.warns(DeprecationWarning, match="method_names"):
        assert actalike.methods() == actalike.method_names()


def test_a_name_of_version_0_2_warns_and_works():
    with pytest.warns(DeprecationWarning, match="SplitStep"):
        assert actalike.Split is actalike.SplitStep


def test_the_proposals_of_a_report_of_version_0_1_warn_and_work():
    report = actalike.WrittenReport(Path("report.html"), 1, 5, synonyms=2, alternatives=1)
    with pytest.warns(DeprecationWarning, match=r"synonyms \+ alternatives"):
        assert report.proposals == 3


def names(only_documented: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield each public name with its parameters and, of a class, the members; each method with its parameters.

    Not all members are promised, and not how every class is built: only what the documentation shows.
    """
    pages = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    shown = set(re.findall(r"\.(\w+)", pages))
    built = set(re.findall(r"(\w+)\(", pages))
    estimators = {name for name in actalike.__all__ if hasattr(getattr(actalike, name), "get_params")}
    for name in actalike.__all__:
        thing = getattr(actalike, name)
        inside = {member: getattr(thing, member) for member in thing.__all__} if inspect.ismodule(thing) else {}
        for path, one in {name: thing, **{f"{name}.{member}": inside[member] for member in sorted(inside)}}.items():
            found = [member for member in members(one) if member in shown or not only_documented]
            given = (
                parameters(one) if not (inspect.isclass(one) and only_documented) or one.__name__ in built | estimators else []
            )
            yield f"actalike.{path}", [*given, *(f".{member}" for member in found)]
            for member in found:
                if parameters(getattr(one, member, None)):
                    yield f"actalike.{path}.{member}", parameters(getattr(one, member))


def members(thing: object) -> list[str]:
    """Return the public members of a class that are not inherited from Python's classes."""
    ours = [vars(one) for one in inspect.getmro(thing) if one.__module__.startswith("actalike")] if inspect.isclass(thing) else []
    return sorted({name for one in ours for name in (*one, *one.get("__annotations__", {})) if not name.startswith("_")})


def parameters(thing: object) -> list[str]:
    try:
        found = inspect.signature(thing).parameters if callable(thing) else {}
    except ValueError:  # of what is not written in Python
        found = {}
    return [name for name, one in found.items() if name != "self" and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]


def commands(command: typer.core.TyperGroup | None = None, name: str = "actalike") -> Iterator[tuple[str, list[str]]]:
    """Yield each command with its arguments, numbered, and its options."""
    command = command or typer.main.get_command(app)
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [option for one in command.params if one not in arguments for option in (*one.opts, *one.secondary_opts)]
    yield name, [*(f"argument{i}" for i in range(1, len(arguments) + 1)), *options]
    if hasattr(command, "list_commands"):
        context = typer.Context(command, info_name=name)
        for subcommand in command.list_commands(context):
            yield from commands(command.get_command(context, subcommand), f"{name} {subcommand}")


def samples() -> Iterator[tuple[str, list[str]]]:
    """Yield each sample of a saved file with a hash of its bytes: they are never rewritten."""
    for path in SAVED:
        yield path.relative_to(ROOT).as_posix(), [hashlib.sha256(path.read_bytes()).hexdigest()[:16]]


def present(only_documented: bool = False) -> dict[str, list[str]]:
    return dict([*names(only_documented), *commands(), *samples()])


def stored() -> tuple[str, dict[str, list[str]]]:
    """Return the version of the snapshot, and what it promises."""
    lines = [line for line in SNAPSHOT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    pairs = (line.split(": ") for line in lines[1:])
    return lines[0].removeprefix("as of "), {name.rstrip(":"): parts[0].split() if parts else [] for name, *parts in pairs}


def gone(before: dict[str, list[str]], now: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Return the names that are no longer there, and of the others the parts that are not."""
    names = [(name, "") for name in before if name not in now and name.rpartition(".")[0] not in before]
    members = [(name, "") for name in before if name not in now and name.rpartition(".")[0] in now]
    return names + members + [(name, part) for name in before if name in now for part in before[name] if part not in now[name]]


def is_named(name: str, part: str, changes: str) -> bool:
    """Whether one entry of a changelog names a thing, and the part of it that is gone."""
    words = [re.split(r"[. ]", name)[-1] if "/" not in name else Path(name).name, part.lstrip(".")]
    words = [word for word in words if word and not word.startswith("argument")]
    return any(
        all(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", entry) for word in words) for entry in changes.split("\n- ")
    )


def changes_since(version: str) -> str:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split(f"\n## {version}")[0].partition("\n## ")[2]


def test_what_is_promised_stays_or_the_changelog_names_it():
    version, before = stored()
    changes = changes_since(version)
    assert [one for one in gone(before, present()) if not is_named(*one, changes)] == []


def test_what_is_new_is_in_the_snapshot():
    """Run ``python -m tests.test_public_names``, and look at what it adds."""
    _, before = stored()
    assert [f"{name} {part}" for name, part in gone(present(only_documented=True), before)] == []


def test_a_name_that_is_removed_without_a_word_is_found():
    before = {
        "actalike.group": ["log", "at_least"],
        "actalike.Group": [".name"],
        "actalike.Group.name": [],
        "actalike odd": ["--top"],
    }
    now = {"actalike.group": ["log"], "actalike odd": []}
    assert gone(before, now) == [("actalike.Group", ""), ("actalike.group", "at_least"), ("actalike odd", "--top")]
    assert not is_named("actalike.group", "at_least", "\n- `judge` has no `at_least`.\n- `group` is fast.")
    assert is_named(
        "actalike.group", "at_least", "\n- `judge` is fast.\n- `actalike.group` has no `at_least`:\n  it was useless."
    )
    assert not is_named("actalike odd", "--top", "\n- `odd` has `--top-most`.")


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.relative_to(SAMPLES).as_posix())
def test_what_a_released_version_saved_is_opened(path):
    """What is in them is tested where each kind is: tests/test_loading.py, tests/labels."""
    if path.relative_to(SAMPLES).as_posix() in REFUSED:
        with pytest.raises(actalike.FileFormatError, match=r"0\.1"):
            actalike.load(path)
    elif path.suffix == ".actalike":
        actalike.load(path)
    elif path.suffix == ".json":
        (actalike.read_matching_decisions if "matching" in path.name else actalike.read_decisions)(path)
    else:
        mapping = actalike.read_mapping(path)
        assert mapping == ({"X": "x", "A": "a", "b": "b", "Y, 📄": "c"} if "matching" in path.name else MAPPING)


def test_a_matching_that_a_released_version_saved_has_its_known_pairs():
    found = actalike.read_known_pairs(SAMPLES / "matching-v1.csv", list("abcxy"), ["A", "X", "Y, 📄", "b"])
    assert found == {"x": "X"}


if __name__ == "__main__":
    version, before = stored() if SNAPSHOT.exists() else (actalike.__version__, {})
    now = present(only_documented=True)
    kept = {
        name: [*now.get(name, []), *(part for part in before.get(name, []) if part not in now.get(name, []))]
        for name in before | now
    }
    head = (
        "# What is promised: public names with their parameters or members, commands with their arguments and options, samples of saved files.\n"
        "# What goes stays in here until the next release, and CHANGELOG.md names it. `python -m tests.test_public_names` adds what is new.\n"
        "# After a release, delete this file and run that again.\n"
    )
    lines = [f"{name}: {' '.join(kept[name])}".rstrip() for name in sorted(kept)]
    SNAPSHOT.write_text(f"{head}as of {version}\n" + "\n".join(lines) + "\n", encoding="utf-8")
