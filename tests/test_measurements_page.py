"""The page of measurements is what its stored results make, and names scripts that are there."""

import json

import pytest

from measurements import page


def test_the_page_is_made_of_the_stored_results():
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run: python measurements/page.py"


@pytest.mark.parametrize("measurement", page.MEASUREMENTS, ids=lambda one: one.name)
def test_a_stored_result_is_of_the_command_that_the_page_names(measurement):
    path = page.STORED / f"{measurement.name}.json"
    assert (page.ROOT / measurement.command.split()[0]).exists()
    assert json.loads(path.read_text(encoding="utf-8"))["command"] == f"python {measurement.command}"


def test_no_result_is_stored_that_no_measurement_makes():
    assert {path.stem for path in page.STORED.glob("*.json")} == {measurement.name for measurement in page.MEASUREMENTS}
