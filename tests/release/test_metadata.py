"""What is said of the package in several files is the same in all of them."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

import actalike
from release import smoke, try_installs
from release.build import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def recipe():
    if not (ROOT / "recipe").exists():
        pytest.skip("the source archive has no recipe, because the recipe has the digest of the archive")
    return read_yaml("recipe/recipe.yaml")


def versions(requirement):
    """A requirement's name and versions, whether pip or conda writes it."""
    parsed = Requirement(requirement)
    return parsed.name, parsed.specifier


def test_the_recipe_needs_what_the_package_needs(recipe):
    python, *needed = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    assert sorted(map(str, map(versions, needed))) == sorted(map(str, map(versions, PROJECT["dependencies"])))


def test_the_recipe_has_the_name_the_version_and_the_command_of_the_package(recipe):
    assert recipe["context"]["version"] == actalike.__version__
    assert (recipe["package"]["name"], recipe["about"]["summary"]) == (PROJECT["name"], PROJECT["description"])
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    builds_with = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert str(versions(recipe["requirements"]["host"][-1])) == str(versions(builds_with[0]))


def test_the_citation_is_of_this_version_and_names_the_authors_of_the_paper():
    citation = read_yaml("CITATION.cff")
    assert (citation["cff-version"], str(citation["version"])) == ("1.2.0", actalike.__version__)
    assert citation["repository-code"] == PROJECT["urls"]["Repository"]
    assert {"message", "title", "authors"} <= set(citation)
    (paper,) = citation["references"]
    assert [author["family-names"] for author in paper["authors"]] == ["Kirchmann", "Fahrenkrog-Petersen", "Lu", "Weidlich"]
    for author in paper["authors"]:
        assert re.fullmatch(r"https://orcid\.org/(\d{4}-){3}\d{3}[\dX]", author["orcid"])


def test_the_changelog_begins_with_this_version_or_what_comes_after_it_and_has_dates():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [heading for heading in re.findall(r"^## (.*)$", changelog, re.MULTILINE) if heading != "Unreleased"]
    assert headings[0].startswith(f"{actalike.__version__} (")
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", heading) for heading in headings)
    citation = read_yaml("CITATION.cff")
    assert headings[0].endswith(f"({citation['date-released']})")


def test_the_classifiers_name_pythons_that_are_tried():
    named = set(re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])))
    assert named <= set(try_installs.PYTHONS)
    assert f">={min(named, key=lambda version: int(version[2:]))}" == PROJECT["requires-python"]


def test_every_extra_is_tried():
    assert set(PROJECT["optional-dependencies"]) - {"all"} == set(try_installs.EXTRAS) == set(smoke.EXTRAS)
    assert set(smoke.PACKAGES) == set(smoke.EXTRAS)


def test_the_page_about_installing_names_every_extra():
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    assert [extra for extra in {*try_installs.EXTRAS, "all"} if f"`{extra}`" not in page] == []


def test_the_workflows_name_every_python_that_is_tried_and_call_what_the_makefile_has():
    folder = ROOT / ".github" / "workflows"
    if not folder.exists():
        pytest.skip("the source archive has no workflows, because they are about the repository")
    workflows = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yml")}
    assert {"test", "check", "docs", "release"} <= set(workflows)
    assert [version for version in try_installs.PYTHONS if version not in workflows["test"]] == []
    scripts = "\n".join([*workflows.values(), (ROOT / ".ci" / "run").read_text(encoding="utf-8")])
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    called = set(re.findall(r"\bmake ([a-z-]+)", scripts))
    assert {"check", "test", "docs", "dist"} <= called <= set(targets)
