"""The layout of a date that is refused is named in the error."""

import pytest

from actalike.io.timestamp_layouts import layout_advice, likely_layouts


@pytest.mark.parametrize(
    ("text", "layouts"),
    [
        ("31.12.2024 13:45", ["%d.%m.%Y %H:%M"]),
        ("31.12.2024 13:45:01,5", []),
        ("1.2.2024", ["%d.%m.%Y"]),
        ("01/02/2024 1:30 PM", ["%d/%m/%Y %I:%M %p", "%m/%d/%Y %I:%M %p"]),
        ("02/13/2024", ["%m/%d/%Y"]),
        ("31-Dec-2024 10:00:00.123", ["%d-%b-%Y %H:%M:%S.%f"]),
        ("20241231", ["%Y%m%d"]),
        ("1704067200", ["%s"]),
        ("2024-02-30", []),
        ("soon", []),
        ("", []),
    ],
)
def test_layouts_are_those_that_fit(text, layouts):
    assert likely_layouts(text) == layouts


def test_advice_names_what_is_likely():
    assert "--timestamp-format '%m/%d/%Y'" in layout_advice("02/13/2024")
    assert "several ways" in layout_advice("02/03/2024")
    assert "'%d.%m.%Y %H:%M', '%s' for seconds" in layout_advice("soon")
