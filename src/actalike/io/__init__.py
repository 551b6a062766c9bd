"""Read files and frames as an EventLog, and write them."""

from actalike.io.arrow_schema import ARROW_SCHEMA, copied_schema, pandas_note
from actalike.io.assemble import (
    Events,
    Lifecycle,
    Order,
    check_options,
    no_complete_event,
    no_transitions,
    reading_of,
    untimed_event,
    without_transition,
)
from actalike.io.columns import Columns, WantedAttributes, find_columns
from actalike.io.csv_rows import RowBlock, counted_fields, field_bounds, parse_rows
from actalike.io.delimited import CsvFile, look_at_unread, parse_blocks, read_csv
from actalike.io.file_kinds import ENDINGS, is_log, is_object_centric, log_kind, refuse_spreadsheet, stem_of
from actalike.io.file_look import look
from actalike.io.frames import CheckedRows, ColumnReader, take_columns, to_eager
from actalike.io.log_arguments import as_log, is_frame
from actalike.io.look_data import Look
from actalike.io.look_proposals import Proposal
from actalike.io.parquet import check_parquet, native_reading, read_parquet, scan_parquet
from actalike.io.parquet_footer import Footer, read_footer
from actalike.io.parquet_pages import check_pages
from actalike.io.pm4py_logs import is_pm4py_log, read_pm4py
from actalike.io.read import kind_of, order_of_columns, read_frame, read_log
from actalike.io.several_files import SOURCE, Cases, LogFiles, log_files
from actalike.io.source import DEFAULT_MAX_BYTES, CutOff, Progress, read_pieces
from actalike.io.text_codes import Codes
from actalike.io.timestamp_layouts import layout_advice
from actalike.io.timestamps import FIRST_TIME, LAST_TIME, NO_TIME, check_layout, parse_series, parse_series_as
from actalike.io.unused_columns import describe
from actalike.io.write import escape, write_log
from actalike.io.xes import XesReading, read_xes
from actalike.io.xes_values import Values
from actalike.io.xml_pieces import Piece, XmlText
from actalike.io.xml_tags import Tags, element_name, is_element, value_of, value_span

__all__ = [
    "ARROW_SCHEMA",
    "DEFAULT_MAX_BYTES",
    "ENDINGS",
    "FIRST_TIME",
    "LAST_TIME",
    "NO_TIME",
    "SOURCE",
    "Cases",
    "CheckedRows",
    "Codes",
    "ColumnReader",
    "Columns",
    "CsvFile",
    "CutOff",
    "Events",
    "Footer",
    "Lifecycle",
    "LogFiles",
    "Look",
    "Order",
    "Piece",
    "Progress",
    "Proposal",
    "RowBlock",
    "Tags",
    "Values",
    "WantedAttributes",
    "XesReading",
    "XmlText",
    "as_log",
    "check_layout",
    "check_options",
    "check_pages",
    "check_parquet",
    "copied_schema",
    "counted_fields",
    "describe",
    "element_name",
    "escape",
    "field_bounds",
    "find_columns",
    "is_element",
    "is_frame",
    "is_log",
    "is_object_centric",
    "is_pm4py_log",
    "kind_of",
    "layout_advice",
    "log_files",
    "log_kind",
    "look",
    "look_at_unread",
    "native_reading",
    "no_complete_event",
    "no_transitions",
    "order_of_columns",
    "pandas_note",
    "parse_blocks",
    "parse_rows",
    "parse_series",
    "parse_series_as",
    "read_csv",
    "read_footer",
    "read_frame",
    "read_log",
    "read_parquet",
    "read_pieces",
    "read_pm4py",
    "read_xes",
    "reading_of",
    "refuse_spreadsheet",
    "scan_parquet",
    "stem_of",
    "take_columns",
    "to_eager",
    "untimed_event",
    "value_of",
    "value_span",
    "without_transition",
    "write_log",
]
