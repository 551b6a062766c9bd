"""Reading and writing event logs."""

from actalike.io.read import read_log
from actalike.io.write import write_log

__all__ = ["read_log", "write_log"]
