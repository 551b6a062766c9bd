"""Check data against the JSON Schema documents in ``schemas/``, which describe every header of a saved file.

Only the keywords below are known, with the meaning that JSON Schema 2020-12 gives them, and a schema with another one is refused.
There is one difference: 2.0 is not an integer here, because no writer writes integers so.
"""

import json
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from actalike.support.bounded_json import HALF_CHARACTER

Schema = Mapping[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_ANNOTATIONS = {"$schema", "$id", "title", "description"}


@cache
def schema(name: str) -> Schema:
    """Return a schema of the package by its name; only names that the code itself holds may be asked for."""
    document: Schema = json.loads((files("actalike") / "support" / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
    return document


def violation(value: Any, schema: Schema, place: str = "it") -> str | None:
    """Return what is wrong with a value, in words that begin with its place; None if the schema allows it.

    >>> rule = {"type": "object", "properties": {"left": {"type": "integer", "minimum": 0}}, "additionalProperties": False}
    >>> violation({"left": -1}, rule), violation({"left": 1}, rule), violation({"right": 1}, rule)
    ("'left' is less than 0", None, "it has 'right', which is not known")
    """
    for keyword, rule in schema.items():
        if keyword in _ANNOTATIONS:
            continue
        problem = _CHECKS[keyword](value, rule, place, schema)
        if problem:
            return problem
    return None


def _type(value: Any, rule: str | list[str], place: str, schema: Schema) -> str | None:
    names = [rule] if isinstance(rule, str) else rule
    if any(_is_a(name, value) for name in names):
        return None
    kinds = {"object": "an object", "array": "a list", "string": "a text", "integer": "a whole number", "null": "null"}
    return f"{place} is not {' or '.join(kinds.get(name, f'a {name}') for name in names)}"


def _is_a(name: str, value: Any) -> bool:
    """Return whether a value is of a type; NaN and what no float can hold are no numbers, half a character is no text."""
    if not isinstance(value, _TYPES[name]) or (isinstance(value, bool) and name != "boolean"):
        return False
    if name == "number" and isinstance(value, int | float):
        return -sys.float_info.max <= value <= sys.float_info.max
    return not isinstance(value, str) or value.isascii() or not HALF_CHARACTER.search(value)


def _enum(value: Any, rule: list[Any], place: str, schema: Schema) -> str | None:
    return None if value in rule else f"{place} is none of {', '.join(map(str, rule))}"


def _any_of(value: Any, rule: list[Schema], place: str, schema: Schema) -> str | None:
    problems = [violation(value, choice, place) for choice in rule]
    return problems[-1] if all(problems) else None


def _minimum(value: Any, rule: float, place: str, schema: Schema) -> str | None:
    return f"{place} is less than {rule:,}" if isinstance(value, int | float) and value < rule else None


def _maximum(value: Any, rule: float, place: str, schema: Schema) -> str | None:
    return f"{place} is more than {rule:,}" if isinstance(value, int | float) and value > rule else None


def _max_length(value: Any, rule: int, place: str, schema: Schema) -> str | None:
    return f"{place} is a text of more than {rule:,} characters" if isinstance(value, str) and len(value) > rule else None


def _min_items(value: Any, rule: int, place: str, schema: Schema) -> str | None:
    return f"{place} has fewer than {rule:,} items" if isinstance(value, list) and len(value) < rule else None


def _max_items(value: Any, rule: int, place: str, schema: Schema) -> str | None:
    return f"{place} has more than {rule:,} items" if isinstance(value, list) and len(value) > rule else None


def _unique_items(value: Any, rule: bool, place: str, schema: Schema) -> str | None:
    """Compare items that are texts; nothing else is asked to be unique."""
    if not rule or not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return f"{place} has an item twice" if len(set(value)) < len(value) else None


def _items(value: Any, rule: Schema, place: str, schema: Schema) -> str | None:
    if not isinstance(value, list):
        return None
    within = f"an item of {place}"
    return next(filter(None, (violation(item, rule, within) for item in value)), None)


def _prefix_items(value: Any, rule: list[Schema], place: str, schema: Schema) -> str | None:
    if not isinstance(value, list):
        return None
    pairs = zip(value, rule, strict=False)
    return next(filter(None, (violation(item, of_item, f"an item of {place}") for item, of_item in pairs)), None)


def _required(value: Any, rule: list[str], place: str, schema: Schema) -> str | None:
    missing = [key for key in rule if isinstance(value, dict) and key not in value]
    return f"{place} has no {missing[0]!r}" if missing else None


def _max_properties(value: Any, rule: int, place: str, schema: Schema) -> str | None:
    return f"{place} has more than {rule:,} keys" if isinstance(value, dict) and len(value) > rule else None


def _property_names(value: Any, rule: Schema, place: str, schema: Schema) -> str | None:
    if not isinstance(value, dict):
        return None
    return next(filter(None, (violation(key, rule, f"a key of {place}") for key in value)), None)


def _properties(value: Any, rule: Mapping[str, Schema], place: str, schema: Schema) -> str | None:
    if not isinstance(value, dict):
        return None
    return next(filter(None, (violation(value[key], rule[key], repr(key)) for key in rule if key in value)), None)


def _additional_properties(value: Any, rule: bool | Schema, place: str, schema: Schema) -> str | None:
    if not isinstance(value, dict) or rule is True:
        return None
    others = [key for key in value if key not in schema.get("properties", {})]
    if isinstance(rule, bool):
        return f"{place} has {others[0][:40]!r}, which is not known" if others else None
    return next(filter(None, (violation(value[key], rule, repr(key[:40])) for key in others)), None)


_CHECKS: dict[str, Callable[[Any, Any, str, Schema], str | None]] = {
    "type": _type,
    "enum": _enum,
    "anyOf": _any_of,
    "minimum": _minimum,
    "maximum": _maximum,
    "maxLength": _max_length,
    "minItems": _min_items,
    "maxItems": _max_items,
    "uniqueItems": _unique_items,
    "prefixItems": _prefix_items,
    "items": _items,
    "required": _required,
    "maxProperties": _max_properties,
    "propertyNames": _property_names,
    "properties": _properties,
    "additionalProperties": _additional_properties,
}
