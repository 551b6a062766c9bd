"""Write Excel files cell by cell, as plainly as the format allows."""

import io
import zipfile
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = f"""<styleSheet xmlns="{_MAIN}"><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="14"/>
<xf numFmtId="21"/></cellXfs></styleSheet>"""


class Fault(NamedTuple):
    """The error of a formula."""

    text: str = "#REF!"


def xlsx(sheets, *, hidden=(), merged=(), places=None):
    """Return a workbook. ``sheets`` maps names to rows of values; ``places`` puts further cells anywhere in the first sheet."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": _links([("rId1", "officeDocument", "xl/workbook.xml")]),
        "xl/styles.xml": _STYLES,
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
        + "".join(
            f'<sheet name={quoteattr(name)} sheetId="{i}" r:id="rId{i}"{" state=" + quoteattr("hidden") if name in hidden else ""}/>'
            for i, name in enumerate(sheets, 1)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _links(
            [
                *((f"rId{i}", "worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(sheets) + 1)),
                ("s", "styles", "styles.xml"),
            ]
        ),
    }
    for i, rows in enumerate(sheets.values(), 1):
        body = "".join(
            f'<row r="{r}">{"".join(_cell(f"{_letters(c)}{r}", value) for c, value in enumerate(row))}</row>'
            for r, row in enumerate(rows, 1)
        )
        for place, value in (places or {}).items() if i == 1 else ():
            body += f'<row r="{place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}">{_cell(place, value)}</row>'
        merges = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
        merges = f"<mergeCells>{merges}</mergeCells>" if merges else ""
        parts[f"xl/worksheets/sheet{i}.xml"] = f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData>{merges}</worksheet>'
    return zipped(parts)


def zipped(parts):
    """Return a zip file of parts, always the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}', zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _links(links):
    body = "".join(f'<Relationship Id="{i}" Type="{_RELATIONS}/{kind}" Target="{target}"/>' for i, kind, target in links)
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{body}</Relationships>'


def _cell(place, value):
    if value is None:
        return ""
    if isinstance(value, Fault):
        return f'<c r="{place}" t="e"><v>{value.text}</v></c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    if isinstance(value, datetime):
        return f'<c r="{place}" s="1"><v>{(value - datetime(1899, 12, 30)) / timedelta(days=1)}</v></c>'
    if isinstance(value, date):
        return f'<c r="{place}" s="2"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, time):
        return f'<c r="{place}" s="3"><v>{(value.hour * 60 + value.minute) / 1440}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def _letters(place):
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)
