"""An address of a database is shown without its password, or not at all."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.counting.engines.ibis import read_url

SECRET = "h1dd3n"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"postgres://me:{SECRET}@host:5433/shop?sslmode=require", "postgres://me@host:5433/shop"),
        (f"postgres:///shop?host=/run&user=me&password={SECRET}", "postgres:///shop"),
        (f"snowflake://me:{SECRET}@account/db/schema?warehouse=w", "snowflake://me@account/db/schema"),
        ("postgres://[::1]:5432/shop", "postgres://[::1]:5432/shop"),
    ],
)
def test_what_is_shown_has_no_password_and_no_options(url, shown):
    assert read_url(url).shown == shown
    assert SECRET not in read_url(url).hide(f"the driver says {url}")


@pytest.mark.parametrize("sign", ["/", "#", "?", "[", "@"])
def test_an_address_that_is_taken_apart_wrongly_is_not_shown(sign):
    with pytest.raises(ActalikeError, match="host") as caught:
        read_url(f"postgres://me:{SECRET}{sign}{SECRET}@host/shop")
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize(
    "url", ["", "shop", "postgres:", "postgres://", "host:5432/shop", "postgres://host:port/shop", "/a/b.db"]
)
def test_what_is_no_address_is_an_error(url):
    with pytest.raises(ActalikeError, match="address"):
        read_url(url)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
def test_no_password_is_ever_shown(password):
    try:
        shown = read_url(f"postgres://me:{SECRET}{password}{SECRET}@host/shop").shown
    except ActalikeError as error:
        shown = str(error)
    assert SECRET not in shown


def test_files_are_found_by_their_paths():
    assert read_url("sqlite:///data/my%20shop.db").path == Path("/data/my shop.db")
    assert read_url("duckdb://shop.duckdb").path == Path("shop.duckdb")
    assert read_url("postgres://host/shop").path is None
    for url in ("sqlite:///shop.db?mode=rwc", "duckdb://me@x/shop.duckdb"):
        with pytest.raises(ActalikeError, match="user"):
            read_url(url)
