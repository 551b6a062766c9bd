"""Keep the tables of README and docs as stored results, and write them into the pages.

    python measurements/tables.py                                     write all stored tables into their pages (make figures)
    python measurements/tables.py store NAME FILE [--command WORDS]   keep the table that a script printed into FILE (- for standard input)

A stored table is docs/results/tables/NAME.csv; docs/results/tables/index.json says of each which command made it, when, from which commit, on
which machine, and which code it depends on. In a page it stands between two comments, <!-- table: NAME --> and <!-- end of table -->. If
the code has changed since, the page says so below the table, until the table is measured again.
"""

import argparse
import csv
import hashlib
import io
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from measurements import highlights  # noqa: E402
from measurements.code_digest import code_digest  # noqa: E402
from measurements.page import is_old_measurement  # noqa: E402
from measurements.provenance import changed_since, commit, machine, today, version, write  # noqa: E402

STORED = ROOT / "docs" / "results" / "tables"
INDEX = STORED / "index.json"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"<!-- table: (?P<name>[a-z0-9-]+) -->\n(?P<content>.*?)<!-- end of table -->", re.DOTALL)


def rows_of(text):
    r"""Return the cells of the first table in a text, the heading first.

    >>> rows_of("words\n\n| a | b |\n|---|---|\n| 1 | x \\| y |\n\nmore")
    [['a', 'b'], ['1', 'x \\| y']]
    """
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if re.fullmatch(r"\|[-| :]+\|", line.strip())), None)
    if not first:
        raise ValueError("There is no table (a line of |---|---| below a heading).")
    rows = [lines[first - 1]]
    for line in lines[first + 1 :]:
        if not line.startswith("|"):
            break
        rows.append(line)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]] for row in rows]


def markdown(rows):
    """Return the rows as a table of a page."""
    heading, *body = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([heading, "|" + "---|" * len(rows[0]), *body])


def read_table(name):
    """Return the rows of a stored table."""
    with (STORED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def read_index():
    """Return what is known of each stored table."""
    return json.loads(INDEX.read_text(encoding="utf-8"))


def content_digest(name):
    """Return a digest of a stored table: what is measured is not edited."""
    return hashlib.sha256((STORED / f"{name}.csv").read_bytes()).hexdigest()[:16]


def remark(facts):
    """Return the sentence below a table whose code has changed since; of others nothing."""
    if facts["digest"] == code_digest(facts["code"], facts["command"]):
        return ""
    return changed_since(facts) + "\n\n"


def block(name, facts):
    """Return what a page shows of a stored table, comments included."""
    return _between_comments(name, f"{markdown(read_table(name))}\n\n{remark(facts)}")


def highlights_remark(index):
    """Return the sentence below the README's table if the code behind one of its figures has changed since."""
    is_old = any(remark(index[name]) for name in highlights.SOURCES) or is_old_measurement("core")
    return "*The code behind some of these has changed since they were measured: the pages say which.*\n\n" if is_old else ""


def _between_comments(name, content):
    return f"<!-- table: {name} -->\n\n{content}<!-- end of table -->"


def rendered(text, index):
    """Return the text of a page with its stored tables as they are now; the table "highlights" is made of others."""

    def now(found):
        name = found["name"]
        if name == "highlights":
            return _between_comments(name, f"{markdown(highlights.rows(read_table))}\n\n{highlights_remark(index)}")
        return block(name, index[name])

    return BLOCK.sub(now, text)


def store(name, text, command, index):
    """Keep the first table of a text as a measurement of the code as it is now."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows_of(text))
    write(STORED / f"{name}.csv", out.getvalue())
    facts = index[name]
    facts |= {
        "command": command or facts["command"],
        "date": today(),
        "commit": commit(),
        "version": version(),
        "machine": machine(),
    }
    facts |= {"digest": code_digest(facts["code"], facts["command"]), "content": content_digest(name)}
    write(INDEX, json.dumps(index, indent=1, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers()
    storing = commands.add_parser("store")
    storing.add_argument("name")
    storing.add_argument("file")
    storing.add_argument("--command", help="the command that made it, if it is not the one of the last time")
    asked = parser.parse_args()
    index = read_index()
    if "name" in asked:
        if asked.name not in index:
            sys.exit(f"{asked.name} is not in {INDEX.relative_to(ROOT)}: add it with its code and its command.")
        store(
            asked.name,
            sys.stdin.read() if asked.file == "-" else Path(asked.file).read_text(encoding="utf-8"),
            asked.command,
            index,
        )
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (new := rendered(text, index)) != text:
            write(page, new)
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
