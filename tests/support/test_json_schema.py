"""The schemas of all headers, and the checks by them."""

import json
from importlib.resources import files

import pytest

from actalike import loading
from actalike.support import container, json_schema
from actalike.support.json_schema import schema, violation

FOLDER = files("actalike") / "support" / "schemas"
NAMES = sorted(path.name.removesuffix(".json") for path in FOLDER.iterdir())


@pytest.mark.parametrize(
    ("rule", "allowed", "refused"),
    [
        ({"type": "integer"}, [0, -5], [True, 1.0, "1", None, [], {}]),
        ({"type": "number"}, [0, 0.5], [False, "0.5", None, float("nan"), float("-inf"), 10**400]),
        ({"type": "boolean"}, [True], [1, 0, None]),
        ({"type": ["string", "null"]}, ["", "ü", None], [0, False, [], "\ud800"]),
        ({"enum": ["a", "b"]}, ["a"], ["c", None, ["a"], {}]),
        ({"minimum": 1, "maximum": 2}, [1, 2, 1.5, "x", None], [0, 3, 0.99]),
        ({"maxLength": 2}, ["", "ab", 999, ["abc"]], ["abc"]),
        ({"minItems": 1, "maxItems": 2}, [[1], [1, 2], "abc", {}], [[], [1, 2, 3]]),
        ({"uniqueItems": True}, [["a", "b"], [], "aa"], [["a", "b", "a"]]),
        ({"items": {"type": "string"}}, [[], ["a"], 7], [["a", 1]]),
        ({"prefixItems": [{"type": "string"}, {"type": "null"}]}, [["a"], ["a", None, 1], 7], [[1], ["a", "b"]]),
        ({"anyOf": [{"type": "string"}, {"minimum": 1}]}, ["a", 1], [0]),
        ({"required": ["a"]}, [{"a": None}, "a", []], [{}, {"b": 1}]),
        ({"maxProperties": 1}, [{}, {"a": 1}, [1, 2]], [{"a": 1, "b": 2}]),
        ({"propertyNames": {"maxLength": 1}}, [{}, {"a": 1}, "abc"], [{"ab": 1}]),
        ({"properties": {"a": {"type": "null"}}}, [{}, {"a": None, "b": 1}, "a"], [{"a": 1}]),
        ({"properties": {"a": {}}, "additionalProperties": False}, [{}, {"a": 1}, []], [{"b": 1}]),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "object"}}, [{"a": 1, "b": {}}], [{"b": 1}]),
    ],
)
def test_a_keyword_means_what_json_schema_says(rule, allowed, refused):
    assert [violation(value, rule) for value in allowed] == [None] * len(allowed)
    assert all(violation(value, rule) for value in refused)


def test_a_violation_names_its_place():
    nested = {"properties": {"x": {"properties": {"y": {"items": {"maximum": 3}}}}}}
    assert violation({"x": {"y": [1, 4]}}, nested) == "an item of 'y' is more than 3"


def test_a_keyword_that_is_not_checked_is_an_error():
    with pytest.raises(KeyError, match="pattern"):
        violation("x", {"pattern": "y"})


def rules(document):
    """All schemas inside a schema, itself first."""
    yield document
    for child in (*document.get("properties", {}).values(), document.get("items"), document.get("additionalProperties")):
        if isinstance(child, dict):
            yield from rules(child)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_bounds_every_number_list_text_and_object(name):
    assert schema(name) == json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for rule in rules(schema(name)):
        assert set(rule) <= {*json_schema._CHECKS, *json_schema._ANNOTATIONS}
        types = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
        if {"integer", "number"} & set(types):
            assert {"minimum", "maximum"} <= set(rule)
        if "string" in types:
            assert "maxLength" in rule or "enum" in rule
        if "array" in types:
            assert {"maxItems", "items"} <= set(rule)
        if "object" in types:
            assert rule.get("additionalProperties") is False or "maxProperties" in rule


def test_every_kind_of_file_has_a_schema():
    assert set(container._KINDS) == set(loading._KINDS)
    assert {*container._KINDS, "safetensors", "container", "kin", "kin2", "decisions", "matching_decisions"} == set(NAMES)
