"""Say what a result file holds, as JSON Schema, so that a damaged one is refused where it is read and not where it is used."""

from typing import Any

from actalike.support.json_schema import Schema

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
NUMBER: Schema = {"type": "number", "minimum": -1e100, "maximum": 1e100}  # sums and squares of such numbers are finite
NUMBER_OR_NULL: Schema = {**NUMBER, "type": ["number", "null"]}
SHARE_OR_NULL: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
TEXTS: Schema = {"type": "array", "items": TEXT}
LIST_OF_COUNTS: Schema = {"type": "array", "items": COUNT}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_AMOUNT: Schema = {"type": "number", "minimum": 0, "maximum": 2**53}
TALLY: Schema = {  # of probabilities: how many answers have each, and how many of these are right
    "type": "array",
    "items": {"type": "array", "prefixItems": [_SHARE, _AMOUNT, _AMOUNT], "minItems": 3, "maxItems": 3},
}


def record(**properties: Schema) -> Schema:
    """Return the schema of an object that has at least these keys.

    >>> record(log=TEXT)
    {'type': 'object', 'required': ['log'], 'properties': {'log': {'type': 'string'}}}
    """
    return {"type": "object", "required": list(properties), "properties": properties}


def by_name(value: Schema) -> Schema:
    """Return the schema of an object whose keys are names of any kind, each with such a value."""
    return {"type": "object", "propertyNames": TEXT, "additionalProperties": value}


def figures_or_error(figures: dict[str, Schema], error: dict[str, Schema], **common: Schema) -> Schema:
    """Return the schema of an object with what all results have, and either figures or an error."""
    known: dict[str, Any] = {**common, **figures, **error}
    return {
        "type": "object",
        "required": list(common),
        "properties": known,
        "anyOf": [{"required": list(error)}, {"required": list(figures)}],
    }
