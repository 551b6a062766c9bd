"""Read files and frames as an EventLog, and write them."""

from actalike.io.assemble import Events, Order, check_options
from actalike.io.columns import find_columns
from actalike.io.delimited import CsvFile, field_bounds, read_csv
from actalike.io.file_kinds import ENDINGS, is_log, log_kind, stem_of
from actalike.io.frames import Codes, compute, take_columns
from actalike.io.parquet import check_parquet, native_reading, read_parquet, scan_parquet
from actalike.io.parquet_footer import read_footer
from actalike.io.parquet_pages import check_pages
from actalike.io.read import kind_of, order_of_columns, read_log
from actalike.io.source import DEFAULT_MAX_BYTES, CutOff, Progress, read_pieces
from actalike.io.write import escape, write_log
from actalike.io.xes import XesReading, read_xes
from actalike.io.xes_values import Values
from actalike.io.xml_pieces import Piece, XmlText
from actalike.io.xml_tags import Tags, is_element, value_of, value_span

__all__ = [
    "DEFAULT_MAX_BYTES",
    "ENDINGS",
    "Codes",
    "CsvFile",
    "CutOff",
    "Events",
    "Order",
    "Piece",
    "Progress",
    "Tags",
    "Values",
    "XesReading",
    "XmlText",
    "check_options",
    "check_pages",
    "check_parquet",
    "compute",
    "escape",
    "field_bounds",
    "find_columns",
    "is_element",
    "is_log",
    "kind_of",
    "log_kind",
    "native_reading",
    "order_of_columns",
    "read_csv",
    "read_footer",
    "read_log",
    "read_parquet",
    "read_pieces",
    "read_xes",
    "scan_parquet",
    "stem_of",
    "take_columns",
    "value_of",
    "value_span",
    "write_log",
]
