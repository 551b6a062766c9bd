"""Where a file can be written."""

import os

import pytest

from actalike import ActalikeError
from actalike.support.places import check_place, is_utf8, make_folder, same_file


def test_a_link_stands_for_the_file_it_leads_to(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    assert check_place(tmp_path / "link") == (tmp_path / "file").resolve()


def test_a_missing_folder_is_no_error_if_it_will_be_made(tmp_path):
    path = tmp_path / "a" / "b" / "out.csv"
    assert check_place(path, folders=True) == path.resolve()
    with pytest.raises(ActalikeError, match="there is no folder"):
        check_place(path)
    (tmp_path / "a").touch()
    with pytest.raises(ActalikeError, match=r"Not a directory|is no folder"):
        check_place(path, folders=True)


@pytest.mark.parametrize("name", ["loop", "nul\0"])
def test_names_that_lead_nowhere_are_refused(tmp_path, name):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ActalikeError, match=r"cannot be written: .* Nothing was written"):
        check_place(f"{tmp_path}/{name}")


def test_a_folder_that_does_not_allow_it_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *arguments: False)  # permissions do not bind an administrator
    with pytest.raises(ActalikeError, match="does not allow it"):
        check_place(tmp_path / "out.csv")


def test_a_device_is_never_a_place_for_a_file():
    with pytest.raises(ActalikeError, match="it is a device"):
        check_place("/dev/null")
    assert check_place("/dev/shm/../shm/actalike-out.csv").name == "actalike-out.csv"


def test_the_same_file_is_recognised_by_every_way_to_it(tmp_path):
    given = tmp_path / "in.csv"
    given.write_text("x")
    os.link(given, tmp_path / "hard")
    (tmp_path / "soft").symlink_to(given)
    with given.open() as opened:
        ways = [given, f"{tmp_path}/./in.csv", tmp_path / "hard", tmp_path / "soft", f"/dev/fd/{opened.fileno()}"]
        assert [same_file(way, ["none", given]) for way in ways] == [given] * 5
    assert same_file(tmp_path / "other", [given]) is None
    assert same_file(given, []) is None


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(ActalikeError, match="cannot be created"):
        make_folder(tmp_path / "file" / "b")


def test_names_need_not_be_utf8():
    assert is_utf8("é.csv")
    assert not is_utf8(os.fsdecode(b"\xe9.csv"))
