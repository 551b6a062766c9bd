"""The wheel and the source archive: the same bytes each time, with all that belongs there and nothing else."""

import os
import subprocess
import sys
import tarfile
import zipfile

import pytest

from actalike import __version__
from release import build as building
from release.build import ROOT, Built, build, problems

pytestmark = pytest.mark.campaign  # a build takes seconds

if not (ROOT / ".git").exists():
    pytest.skip("a build is of a commit, and this is no git repository", allow_module_level=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


def test_nothing_is_missing_and_nothing_else_is_there(built):
    assert problems(built) == []


def test_a_second_build_has_the_same_bytes(built, tmp_path, monkeypatch):
    """Elsewhere, later, in another time zone, by somebody with other habits of permissions."""
    before = os.umask(0o077)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    try:
        again = build(tmp_path / "another folder")
    finally:
        os.umask(before)
    assert again.wheel.read_bytes() == built.wheel.read_bytes()
    assert again.archive.read_bytes() == built.archive.read_bytes()


def test_the_files_carry_the_version_and_the_time_of_the_commit(built):
    assert built.wheel.name == f"actalike-{__version__}-py3-none-any.whl"
    assert built.archive.name == f"actalike-{__version__}.tar.gz"
    moment = int(building.git("log", "-1", "--format=%ct"))
    with tarfile.open(built.archive) as tar:
        assert {(member.mtime, member.uid, member.uname) for member in tar.getmembers()} == {(moment, 0, "")}


def test_the_description_leads_to_the_repository_at_this_version(built):
    with zipfile.ZipFile(built.wheel) as wheel:
        (metadata,) = [wheel.read(name).decode() for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert f"(https://github.com/actalike/actalike/raw/v{__version__}/docs/pictures/before_after.svg)" in metadata
    assert f"(https://github.com/actalike/actalike/blob/v{__version__}/docs/start.md)" in metadata


def test_what_is_missing_or_does_not_belong_in_a_wheel_is_named(built, tmp_path):
    spoilt = tmp_path / built.wheel.name
    with zipfile.ZipFile(built.wheel) as source, zipfile.ZipFile(spoilt, "w") as target:
        for name in source.namelist():
            if name != "actalike/py.typed" and not name.endswith("/LICENSE"):
                target.writestr(name, source.read(name).replace(b"Metadata-Version: 2.4", b"Metadata-Version: 1.0"))
        target.writestr("tests/test_x.py", "")
    found = problems(Built(spoilt, built.archive))
    assert found[:3] == [
        "The wheel lacks actalike/py.typed.",
        "The wheel has tests/test_x.py, which does not belong there.",
        "The wheel has no licence.",
    ]
    assert found[3].startswith("The metadata are not valid: ")


def test_changes_that_are_not_committed_are_no_release(tmp_path):
    """In a repository of its own, with a copy of the script."""
    (tmp_path / "release").mkdir()
    script = tmp_path / "release" / "build.py"
    script.write_text((ROOT / "release" / "build.py").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Not committed" in done.stderr
    assert "release/" in done.stderr
    assert not (tmp_path / "dist").exists()
