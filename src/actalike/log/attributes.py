"""Attributes of events, held as codes: which of them name a resource or an organisation; second names of labels."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError, shortened

# usual names of attributes for resources, organisations and sites, in English, German and Dutch
_PEOPLE = [
    "org:resource", "org:group", "org:role", "resource", "user", "employee", "staff", "staff member", "worker", "person", "actor",
    "agent", "performer", "performed by", "executed by", "operator", "handler", "originator", "owner", "officer", "clerk",
    "assignee", "assigned to", "responsible", "role", "organisation", "organization", "organisational unit",
    "organizational unit", "org unit", "unit", "business unit", "department", "dept", "division", "team", "group", "office",
    "branch", "branch office", "site", "plant", "location", "region", "district", "country", "facility", "warehouse", "store",
    "subsidiary",
    "Ressource", "Benutzer", "Anwender", "Nutzer", "Bearbeiter", "Sachbearbeiter", "Mitarbeiter", "Ausführender", "Zuständig",
    "Zuständiger", "Verantwortlicher", "Rolle", "Organisationseinheit", "Abteilung", "Fachbereich", "Dienststelle", "Gruppe",
    "Standort", "Werk", "Filiale", "Niederlassung", "Zweigstelle", "Betrieb", "Büro", "Geschäftsstelle", "Region", "Bezirk",
    "Land", "Ort", "Lager",
    "medewerker", "gebruiker", "behandelaar", "uitvoerder", "eigenaar", "rol", "organisatie", "afdeling", "groep",
    "vestiging", "locatie", "regio",
]  # fmt: skip


class Attribute(NamedTuple):
    """Hold one attribute of all events: event ``i`` has the value ``values[codes[i]]``, and none if its code is -1.

    The values are distinct and sorted, and each of them occurs.
    """

    values: list[str]
    codes: NDArray[np.int32]

    @classmethod
    def from_texts(cls, texts: Iterable[str | None]) -> "Attribute":
        """Build an attribute from the value of each event, None where it is missing.

        >>> Attribute.from_texts(["Sue", None, "Bob", "Sue"])
        Attribute(values=['Bob', 'Sue'], codes=array([ 1, -1,  0,  1], dtype=int32))
        """
        given = list(texts)
        values = sorted({text for text in given if text is not None})
        position: dict[str | None, int] = {None: -1} | {value: i for i, value in enumerate(values)}
        return cls(values, np.array([position[text] for text in given], dtype=np.int32))

    def texts(self) -> list[str | None]:
        """Return the value of each event, None where it is missing.

        >>> Attribute(["Bob", "Sue"], np.array([1, -1, 0], dtype=np.int32)).texts()
        ['Sue', None, 'Bob']
        """
        values: list[str | None] = [*self.values, None]  # a code of -1 is the last
        return [values[code] for code in self.codes.tolist()]

    def at(self, events: NDArray[np.bool_] | NDArray[np.integer]) -> "Attribute":
        """Return the attribute of some events, given by their numbers or as a mask; its values are those that occur there."""
        return canonical(self.values, self.codes[events])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attribute) and self.values == other.values and np.array_equal(self.codes, other.codes)

    def __ne__(self, other: object) -> bool:
        return not self == other


def canonical(values: Sequence[str], codes: NDArray[np.integer]) -> Attribute:
    """Return an attribute whose codes are positions in any list of values: they may be unsorted, repeated or unused.

    >>> canonical(["b", "a", "b", "c"], np.array([2, 0, 1, -1]))
    Attribute(values=['a', 'b'], codes=array([ 1,  1,  0, -1], dtype=int32))
    """
    used = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(values))).tolist()
    kept = sorted({values[code] for code in used})
    position = {value: i for i, value in enumerate(kept)}
    recoded = np.full(len(values) + 1, -1, dtype=np.int32)  # the last is for the code -1
    recoded[used] = [position[values[code]] for code in used]
    return Attribute(kept, recoded[codes])


def checked_attribute(name: str, attribute: Attribute, n_events: int) -> Attribute:
    """Return an attribute in its canonical form, or raise an error unless it has a valid code for each event."""
    codes = np.asarray(attribute.codes)
    for value in attribute.values:
        if not isinstance(value, str):
            raise LogError(f"The attribute {shortened(name)!r} has a value that is not a string: {value!r}.")
    if len(codes) != n_events:
        raise LogError(
            f"The attribute {shortened(name)!r} has {len(codes):,} codes for {n_events:,} events: it needs one for each, "
            "-1 for a missing value."
        )
    if codes.dtype.kind not in "iu" or codes.min(initial=0) < -1 or codes.max(initial=-1) >= len(attribute.values):
        raise LogError(
            f"The codes of the attribute {shortened(name)!r} must be positions in its {len(attribute.values):,} values, or -1 "
            "for a missing value."
        )
    return canonical(attribute.values, codes.astype(np.int32, copy=False))


def reject_clashes(attributes: Iterable[str], taken: Sequence[str]) -> None:
    """Raise an error if an attribute has the name under which the case, the activity or the timestamp is written."""
    for name in attributes:
        if name in taken:
            raise LogError(
                f"The log has an attribute {shortened(name)!r}, and its case, activity or timestamp would have the same name: "
                "rename the attribute (log.attributes is a dictionary); nothing was written."
            )


def plain_name(name: str) -> str:
    """Return a name in lower case, letters and digits only: so names of columns are compared.

    >>> plain_name("Case_ID"), plain_name("case:concept:name")
    ('caseid', 'caseconceptname')
    """
    lower = name.lower()
    return lower if lower.isalnum() else re.sub(r"[\W_]", "", lower)  # a table may have a million names


_PLAIN_PEOPLE = {plain_name(name) + ending for name in _PEOPLE for ending in ("", "id", "name", "code", "nr", "no")}


def names_people(name: str) -> bool:
    """Return whether an attribute of this name usually holds a resource, an organisation or a site.

    >>> [names_people(name) for name in ("org:resource", "User ID", "Standort", "amount", "user agent")]
    [True, True, True, False, False]
    """
    return plain_name(name) in _PLAIN_PEOPLE


SECOND_NAME = "second name"  # the column, or attribute, in which second names are written


def name_attribute(names: Mapping[str, str], activities: Sequence[str], codes: NDArray[np.int32]) -> dict[str, Attribute]:
    """Return the second names as an attribute of the events; an empty dictionary if there are none.

    >>> name_attribute({"b": "Pay"}, ["a", "b"], np.array([1, 0], dtype=np.int32))["second name"].texts()
    ['Pay', None]
    """
    if not names:
        return {}
    code_of_label = np.full(len(activities), -1, dtype=np.int32)
    named = [i for i, label in enumerate(activities) if label in names]
    code_of_label[named] = np.arange(len(named))
    return {SECOND_NAME: canonical([names[activities[i]] for i in named], code_of_label[codes])}


def renamed_names(
    names: Mapping[str, str], activities: Sequence[str], labels: Sequence[str], counts: NDArray[np.int64]
) -> dict[str, str]:
    """Return the second names of new labels: that of the activity that was called so before, else of the most frequent one.

    ``labels`` are the new labels of ``activities``, which have so many events.

    >>> renamed_names({"a": "Check", "b": "Verify"}, ["a", "b"], ["x", "x"], np.array([1, 2]))
    {'x': 'Verify'}
    """
    renamed: dict[str, str] = {}
    frequent_last = np.argsort(-counts, kind="stable")[::-1].tolist() if names else []
    for i in sorted(frequent_last, key=lambda i: labels[i] == activities[i]):  # the last one counts
        if activities[i] in names:
            renamed[labels[i]] = names[activities[i]]
    return renamed
