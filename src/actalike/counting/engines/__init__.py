"""Count events where they are stored: in a frame, in a database or on a cluster."""

from actalike.counting.engines.columns import EventColumns, Ties, find_event_columns, open_frame
from actalike.counting.engines.local import arrange
from actalike.counting.engines.query import distinct_windows, is_remote

__all__ = ["EventColumns", "Ties", "arrange", "distinct_windows", "find_event_columns", "is_remote", "open_frame"]
