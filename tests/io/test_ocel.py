"""Object-centric logs are flattened by a type of objects, the same from all formats, and as pm4py does it."""

import gzip
import json
from datetime import UTC

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import ActalikeError, LogError, read_log
from actalike.io import files, look
from tests.helpers.examples import examples
from tests.helpers.ocel import (
    KINDS,
    Event,
    ObjectLog,
    as_cases,
    expected_cases,
    naive_flattening,
    object_logs,
    purchases,
    write,
    written,
)
from tests.helpers.reading import read_bytes

PURCHASES = purchases()


@pytest.fixture(scope="module", params=KINDS)
def file(request, tmp_path_factory):
    return write(PURCHASES, tmp_path_factory.mktemp("ocel") / f"purchases{KINDS[request.param]}")


@pytest.mark.parametrize("type_", [name for name in PURCHASES.object_types if name != "contract"])
def test_each_object_with_events_is_a_case(file, type_):
    assert as_cases(read_log(file, object_type=type_)) == expected_cases(PURCHASES, type_)


def test_a_shared_event_is_in_each_case_and_a_repeated_relation_counts_once(file):
    log = read_log(file, object_type="purchase order")
    assert log.case_ids == ["order/A", "order/B"]
    assert log.traces() == [
        ["Send order", "Accept delivery", "Accept delivery", "Book invoice"],
        ["Send order", "Link invoice"],
    ]
    assert read_log(file, object_type="request").traces() == [["Ask for chairs", "Agree to request", "Send order"]] * 2


def test_times_below_a_microsecond_order_the_events():
    def event(label, nanos):
        of_object = [{"objectId": "o", "qualifier": ""}]
        return {"id": label, "type": label, "time": f"2024-01-01T00:00:00.00000000{nanos}Z", "relationships": of_object}

    types = {"eventTypes": [{"name": name, "attributes": []} for name in "ab"], "objectTypes": [{"name": "t", "attributes": []}]}
    log = {**types, "objects": [{"id": "o", "type": "t"}], "events": [event("b", 2), event("a", 1)]}
    assert read_bytes(json.dumps(log).encode(), "log.jsonocel").traces() == [["a", "b"]]


def test_the_reading_says_what_flattening_left_out(file):
    reading = read_log(file, object_type="purchase order").reading
    assert "2 cases, 6 events; case = purchase order (object type), activity = " in str(reading)
    assert reading.remarks() == [
        "The cases are the objects of the type 'purchase order' (--object-type): 7 events involve none of these objects and are "
        "left out; 1 object has no event and is no case."
    ]
    shared = read_log(file, object_type="invoice").reading.flattening
    assert (shared.events_elsewhere, shared.shared_events, shared.idle_objects) == (9, 1, 0)


def test_attributes_of_events_are_read_when_asked_for(file):
    log = read_log(file, object_type="invoice", attributes=["user", "ok"])
    assert log.attributes["user"].texts() == ["Lea", None, "Lea", None, "Lea"]
    truths = ["1", None, "0", None, None] if file.suffix == ".sqlite" else ["true", None, "false", None, None]
    assert log.attributes["ok"].texts() == truths
    assert list(read_log(file, object_type="invoice", attributes="people").attributes) == ["user"]
    weights = read_log(file, object_type="goods receipt", attributes=["weight"]).attributes["weight"]
    assert weights.texts() == ["310.5", "12.0" if file.suffix == ".xmlocel" else "12"]
    assert read_log(file, object_type="request", name="user").names["Agree to request"] == "Petra"
    with pytest.raises(LogError, match="mean 'user'"):
        read_log(file, object_type="invoice", attributes=["usr"])
    with pytest.raises(LogError, match="usr"):
        read_log(file, object_type="invoice", name="usr")


def test_a_type_must_be_chosen_unless_there_is_one(file, tmp_path):
    with pytest.raises(LogError, match="request"):
        read_log(file)
    with pytest.raises(LogError, match="mean 'invoice'"):
        read_log(file, object_type="invoise")
    with pytest.raises(LogError, match="contract"):
        read_log(file, object_type="contract")
    for wrong in (5, ["invoice", "request"], {"invoice"}, b"invoice"):
        with pytest.raises(LogError, match="request"):
            read_log(file, object_type=wrong)
    alone = purchases()
    alone.object_types = ["thing"]
    alone.objects = [(object_id, "thing") for object_id, _ in alone.objects]
    assert read_log(write(alone, tmp_path / f"log{file.suffix}")).n_cases == 9


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"case": "order"}, "object_type"),
        ({"activity": "type"}, "leave"),
        ({"timestamp": ""}, "leave timestamp"),
        ({"transition": "x"}, "leave transition"),
        ({"lifecycle": "complete"}, "transitions"),
        ({"separator": ","}, "for CSV"),
        ({"timestamp_format": "%Y"}, "OCEL"),
        ({"max_bytes": 100}, "bytes"),
    ],
)
def test_options_that_mean_nothing_here_are_refused(file, options, words):
    with pytest.raises(LogError, match=words):
        read_log(file, object_type="invoice", **options)


def test_a_type_of_objects_is_for_object_centric_logs_alone(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    with pytest.raises(ActalikeError, match="object-centric"):
        read_log(tmp_path / "log.csv", object_type="order")


@pytest.mark.parametrize("name", ["log.db", "log.sqlite3", "log.ocel"])
def test_a_file_with_another_ending_is_to_be_renamed(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(LogError, match=name):
        read_log(tmp_path / name, object_type="order")


def test_order_file_keeps_the_order_of_the_events(file):
    assert read_log(file, object_type="invoice").traces()[1] == ["Book invoice", "Transfer money", "Link invoice"]
    early = read_log(file, object_type="invoice", order="file")
    assert early.traces()[1] == ["Book invoice", "Link invoice", "Transfer money"]
    assert early.case_ids == ["invoice/x", "invoice/y"]


def test_ids_and_types_may_be_declared_after_they_are_used():
    document = written(PURCHASES, "ocel-xml")
    objects = document[document.index(b"<objects>\n") if b"<objects>\n" in document else document.index(b"<objects>") :]
    objects = objects[: objects.index(b"</objects>\n<events>") + 11]
    later = document.replace(objects, b"").replace(b"</log>", objects + b"</log>")
    assert later != document
    assert as_cases(read_bytes(later, "log.xmlocel", object_type="invoice")) == expected_cases(PURCHASES, "invoice")


@pytest.mark.parametrize(
    "name", ["log.jsonocel.gz", "log.json.gz", "log.json", "log.xmlocel.gz", "log.xml", "log.xml.gz", "LOG.JSONOCEL"]
)
def test_other_names_of_the_same_formats_are_read(name):
    document = written(PURCHASES, "ocel-json" if "json" in name.lower() else "ocel-xml")
    document = gzip.compress(document) if name.endswith(".gz") else document
    assert as_cases(read_bytes(document, name, object_type="invoice")) == expected_cases(PURCHASES, "invoice")


def test_several_files_are_one_log(tmp_path):
    for number, kind in enumerate(KINDS.values()):
        write(PURCHASES, tmp_path / f"{number}{kind}")
    (tmp_path / "settings.json").write_text("{}")  # in a folder, such a name says nothing
    log = read_log(tmp_path, object_type="invoice", cases="separate")
    assert log.n_cases == 6
    assert (log.reading.flattening.events_elsewhere, log.reading.flattening.shared_events) == (27, 3)
    assert log.reading.other_files == ("settings.json",)
    assert read_log(tmp_path, object_type="invoice", cases="joined").n_events == log.n_events


@examples(40)
@given(log=object_logs(), kind=st.sampled_from(list(KINDS)), piece=st.sampled_from([files.PIECE, 1, 5, 64]), data=st.data())
def test_any_log_is_flattened_as_the_definition_says(log, kind, piece, data):
    type_ = data.draw(st.sampled_from(log.object_types))
    expected = expected_cases(log, type_)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
        if not expected:
            with pytest.raises(LogError, match="involves"):
                read_bytes(written(log, kind), f"log{KINDS[kind]}", object_type=type_)
            return
        read = read_bytes(written(log, kind), f"log{KINDS[kind]}", object_type=type_)
    assert as_cases(read) == expected
    assert read.case_ids == list(expected)


def by_pm4py(path, object_type):
    """The cases by id, as pm4py reads and flattens them."""
    import pm4py

    reader = {".jsonocel": pm4py.read_ocel2_json, ".xmlocel": pm4py.read_ocel2_xml, ".sqlite": pm4py.read_ocel2_sqlite}
    rows = pm4py.ocel_flattening(reader[path.suffix](str(path)), object_type)
    cases = {}
    for case, label, time in zip(rows["case:concept:name"], rows["concept:name"], rows["time:timestamp"], strict=True):
        cases.setdefault(case, []).append((label, time.to_pydatetime().replace(tzinfo=UTC)))
    return cases


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("type_", PURCHASES.object_types)
def test_pm4py_flattens_alike(file, type_):
    theirs = by_pm4py(file, type_)
    if not theirs:
        with pytest.raises(LogError, match="involves"):
            read_log(file, object_type=type_)
        return
    assert as_cases(read_log(file, object_type=type_)) == theirs


plain_ids = st.text("abcxyz", min_size=2, max_size=4)


@pytest.mark.filterwarnings("ignore")
@examples(6)
@given(log=object_logs(plain_ids), kind=st.sampled_from(list(KINDS)))
def test_pm4py_flattens_generated_logs_alike(log, kind, tmp_path_factory):
    assume(len({name.lower() for name in log.event_types}) == len(log.event_types))
    path = write(log, tmp_path_factory.mktemp("ocel") / f"log{KINDS[kind]}")
    for type_ in {kind for object_id, kind in log.objects if any(object_id in dict(event.objects) for event in log.events)}:
        ours, theirs = as_cases(read_log(path, object_type=type_)), by_pm4py(path, type_)
        if kind == "ocel-sqlite":  # pm4py reads the tables of the types, so events of equal time are in the order of their types
            ours, theirs = (
                {case: sorted(events, key=lambda event: event[::-1]) for case, events in each.items()} for each in (ours, theirs)
            )
        assert ours == theirs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_what_pm4py_writes_is_read(kind, tmp_path):
    import pm4py

    log = pm4py.read_ocel2_json(str(write(PURCHASES, tmp_path / "log.jsonocel")))
    path = tmp_path / f"theirs{KINDS[kind]}"
    {"ocel-json": pm4py.write_ocel2_json, "ocel-xml": pm4py.write_ocel2_xml, "ocel-sqlite": pm4py.write_ocel2_sqlite}[kind](
        log, str(path)
    )
    assert as_cases(read_log(path, object_type="invoice")) == expected_cases(PURCHASES, "invoice")
    people = read_log(path, object_type="invoice", attributes=["user"]).attributes["user"].texts()
    assert sorted(people, key=str) == ["Lea", "Lea", "Lea", None, None]


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
    assert seen.proposed_reading == read_log(file, object_type="request", attributes=None).reading
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
    assert seen.reading == read_log(file, object_type="invoice", attributes=None).reading
    assert seen.error is None
    assert not seen.proposals
    assert "are left out" in seen.remarks[0]
    assert "has no object type 'bill'" in look(file, object_type="bill").error


def test_what_the_reader_refuses_the_look_refuses(tmp_path):
    broken = purchases()
    broken.objects.pop()
    with pytest.raises(LogError, match="involves"):
        look(write(broken, tmp_path / "log.jsonocel"))
    with pytest.raises(LogError, match="leave case"):
        look(write(purchases(), tmp_path / "log.jsonocel"), case="x")


def test_values_without_a_text_are_looked_over(tmp_path):
    path = write(purchases(), tmp_path / "log.jsonocel")
    path.write_bytes(path.read_bytes().replace(b'"value": "Omar"', b'"value": {"first": "Omar"}'))
    assert look(path).looked_at == 13


@examples(20)
@given(log=object_logs())
def test_the_figures_of_each_type_are_those_of_its_flattened_log(log, tmp_path_factory):
    seen = look(write(log, tmp_path_factory.mktemp("ocel") / "log.jsonocel"))
    figures = {each.name: (each.objects, each.with_events, each.events, each.relations) for each in seen.object_types}
    for name in log.object_types:
        cases = naive_flattening(log, name)
        rows = [event for events in cases.values() for event in events]
        objects = sum(type_ == name for _, type_ in log.objects)
        assert figures[name] == (objects, len(cases), len({event[0] for event in rows}), len(rows))
    assert list(figures) == log.object_types
