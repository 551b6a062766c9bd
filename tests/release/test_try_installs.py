"""Which installations are tried, and that a failure is one. `make test-dist-fast` tries a wheel in CI."""

import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement

from release import try_installs
from release.try_installs import (
    RUNNING,
    Installation,
    above_the_lowest,
    chosen,
    direct_requirements,
    find_python,
    megabytes,
    options_of,
    try_all,
)


def test_the_running_python_is_found_and_one_that_is_not_here_is_not():
    assert find_python(RUNNING) == Path(sys.executable)
    assert find_python("2.99") is None


def test_every_extra_is_tried_alone_with_the_newest_and_the_lowest_versions():
    tried = chosen([RUNNING])
    assert {(one.extra, one.versions) for one in tried} == {
        (extra, versions) for extra in (None, *try_installs.EXTRAS) for versions in ("newest", "lowest")
    }


def test_what_needs_torch_is_tried_with_the_running_python_only():
    tried = chosen([RUNNING, "3.99"])
    assert {one.extra for one in tried if one.python == "3.99"} == {None, *try_installs.EXTRAS} - set(try_installs.NEED_TORCH)


def test_torch_is_pinned_whatever_else_is_newest(tmp_path, monkeypatch):
    monkeypatch.setattr(try_installs, "ENVIRONMENTS", tmp_path)
    _, constraints = options_of(Installation(RUNNING, "neural", "newest"))
    assert Path(constraints).read_text(encoding="utf-8").startswith("torch==")
    assert "lowest-direct" in options_of(Installation(RUNNING, None, "lowest"))


def test_a_wheel_that_cannot_be_installed_is_a_failure(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(try_installs, "ENVIRONMENTS", tmp_path)
    wheel = tmp_path / "actalike-0.0.0-py3-none-any.whl"
    wheel.write_bytes(b"no wheel")
    assert try_all([Installation(RUNNING, None, "constrained")], wheel) == 1
    assert "FAILS" in capsys.readouterr().out


def test_the_size_of_an_installation_is_that_of_its_packages(tmp_path):
    packages = tmp_path / "lib" / "python3.99" / "site-packages" / "x"
    packages.mkdir(parents=True)
    (packages / "x.py").write_bytes(bytes(1_500_000))
    assert megabytes(tmp_path / "bin" / "python") == 1.5


def test_the_lowest_versions_are_asked_for_by_name(tmp_path):
    """uv would take the newest of what a wheel only requires; what is installed higher than its bound is named."""
    wheel = tmp_path / "actalike-0.0.0-py3-none-any.whl"
    metadata = "Metadata-Version: 2.4\nName: actalike\nVersion: 0\nRequires-Dist: packaging>=1.0\nRequires-Dist: pytest>=8; extra == 'tests'\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("actalike-0.0.0.dist-info/METADATA", metadata)
    assert [str(one) for one in direct_requirements(wheel, None)] == ["packaging>=1.0"]
    both = direct_requirements(wheel, "tests")
    assert [one.name for one in both] == ["packaging", "pytest"]
    assert above_the_lowest(both[:1], Path(sys.executable)) == [f"packaging {version('packaging')} (>=1.0)"]
    lowest = [Requirement(f"packaging>={version('packaging')}")]
    assert above_the_lowest(lowest, Path(sys.executable)) == []
