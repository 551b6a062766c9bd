"""A look at an object-centric log lists its types, and what would be read by one of them."""

import pytest

from actalike import LogError, read_log
from actalike.io import look
from tests.helpers.ocel import KINDS, Event, ObjectLog, purchases, write


@pytest.fixture(scope="module", params=KINDS.values())
def file(request, tmp_path_factory):
    return write(purchases(), tmp_path_factory.mktemp("ocel") / f"purchases{request.param}")


def test_all_types_are_listed_with_their_figures(file):
    seen = look(file)
    figures = {each.name: (each.objects, each.with_events, each.events, each.relations) for each in seen.object_types}
    assert figures == {
        "request": (2, 2, 5, 6), "purchase order": (3, 2, 6, 6), "goods receipt": (2, 2, 2, 2), "invoice": (2, 2, 4, 5),
        "payment": (1, 1, 1, 1), "contract": (0, 0, 0, 0),
    }  # fmt: skip
    assert seen.reading is None
    assert "Say which of them are the cases" in seen.error
    proposed = [proposal.value for proposal in seen.proposals if proposal.option == "--object-type"]
    assert proposed == ["request", "purchase order", "invoice", "goods receipt", "payment"]
    assert seen.proposed_reading == read_log(file, object_type="request").reading
    assert [column.name for column in seen.columns][2:] == ["user", "seats", "weight", "ok"] or file.suffix == ".sqlite"
    assert seen.looked_at == 13
    assert seen.as_dict()["object_types"][0]["name"] == "request"


def test_types_with_more_events_for_each_object_are_proposed_first(tmp_path):
    objects = [("order/1", "order"), ("order/2", "order"), *((f"item/{n}", "item") for n in range(9)), ("we", "company")]
    start = purchases().events[0].time
    events = [
        Event(
            f"{order}-{step}",
            "a",
            start,
            [(f"order/{order}", ""), ("we", "")] + [(f"item/{n}", "") for n in range(9) if step < 1],
        )
        for order in (1, 2)
        for step in range(4)
    ]
    seen = look(write(ObjectLog(events, objects, ["a"], ["item", "company", "order"]), tmp_path / "log.jsonocel"))
    assert [(each.value, each.why) for each in seen.proposals] == [
        ("order", "2 cases with 4.0 events on average"),
        ("item", "9 cases with 2.0 events on average"),
        ("company", "1 case with 8.0 events on average"),
    ]


def test_a_chosen_type_is_read_as_read_log_reads_it(file):
    seen = look(file, object_type="invoice")
    assert seen.reading == read_log(file, object_type="invoice").reading
    assert seen.error is None
    assert not seen.proposals
    assert "are left out" in seen.remarks[0]
    assert "has no object type 'bill'" in look(file, object_type="bill").error


def test_what_the_reader_refuses_the_look_refuses(tmp_path):
    broken = purchases()
    broken.objects.pop()
    with pytest.raises(LogError, match="involves the object 'payment/1', which the file does not have"):
        look(write(broken, tmp_path / "log.jsonocel"))
    with pytest.raises(LogError, match="leave case"):
        look(write(purchases(), tmp_path / "log.jsonocel"), case="x")


def test_values_without_a_text_are_looked_over(tmp_path):
    path = write(purchases(), tmp_path / "log.jsonocel")
    path.write_bytes(path.read_bytes().replace(b'"value": "Omar"', b'"value": {"first": "Omar"}'))
    assert look(path).looked_at == 13
