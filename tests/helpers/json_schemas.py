"""The JSON Schemas of what commands print with ``--json`` (docs/reference/json)."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "json"


@cache
def schemas() -> dict[str, Any]:
    """Return all schemas by their ids."""
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.schema.json"))}


def check(printed: str, name: str | None = None) -> Any:
    """Check what a command printed by the schema that it names, or by this one, and return it."""
    facts = json.loads(printed)
    if name is None:
        _, name, version = facts["schema"].split("/")
        assert version == "1"
    registry = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in schemas().items())
    Draft202012Validator(schemas()[f"{name}.schema.json"], registry=registry).validate(facts)
    return facts
