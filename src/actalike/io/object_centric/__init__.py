"""Object-centric logs (OCEL 2.0): events that involve objects of several types, read and flattened by one type."""

from actalike.io.object_centric.flattening import read_object_centric
from actalike.io.object_centric.object_types import ObjectTypeFacts
from actalike.io.object_centric.type_look import look_at_types

__all__ = ["ObjectTypeFacts", "look_at_types", "read_object_centric"]

