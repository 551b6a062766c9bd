"""Those who take part in a benchmark by a name of their own: registered, found by wildcard, and made."""

import fnmatch
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from actalike.benchmark.record import Warn, no_warning
from actalike.errors import ActalikeError, UnknownMethodError, did_you_mean

_Participant = TypeVar("_Participant")


class ParticipantRegistry(Generic[_Participant]):
    """Hold the participants of one kind, each as a factory by its name.

    ``noun`` is what one is called, ``duty`` what it must have, ``defaults`` what it need not say of itself.
    """

    def __init__(self, noun: str, duty: str, defaults: Mapping[str, Any]) -> None:
        self.noun, self.duty, self.defaults = noun, duty, dict(defaults)
        self.factories: dict[str, Callable[[], Any]] = {}

    def register(self, name: str, factory: Callable[[], Any]) -> None:
        """Register a participant under a name; ``factory`` is its class, or a function that makes one."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name):
            raise ActalikeError(f"A {self.noun}'s name is made of lower-case letters, digits, '-', '_' and '.': not {name!r}.")
        if not callable(factory):
            raise ActalikeError(f"The factory of {name!r} must be callable (a {self.noun}'s class, say), and {factory!r} is not.")
        self.factories[name] = factory

    def names(self) -> list[str]:
        """Return the names of all."""
        return list(self.factories)

    def make(self, name: str) -> _Participant:
        """Return the participant of a name, not yet fitted; what it does not say of itself is set to its default."""
        try:
            participant: _Participant = self.factories[name]()
        except ActalikeError:
            raise
        except Exception as error:  # anybody's constructor
            raise ActalikeError(f"The {self.noun} {name!r} cannot be made: {type(error).__name__}: {error}.") from None
        if not callable(getattr(participant, "fit", None)):
            raise ActalikeError(f"The {self.noun} {name!r} has no {self.duty}.")
        for attribute, default in {"name": name, **self.defaults}.items():
            if not hasattr(participant, attribute):
                object.__setattr__(participant, attribute, default)
        return participant

    def make_if_possible(self, name: str, is_default: bool, warn: Warn = no_warning) -> _Participant | None:
        """Return a participant; one that needs what is not installed is left out if nobody asked for it, else an error."""
        participant: Any = self.make(name)
        if missing := [extra.remedy for extra in participant.needs if not extra.is_installed]:
            if not is_default:
                raise ActalikeError(f"{name} {missing[0]}.")
            warn(f"{name} is left out: it {missing[0]}.")
            return None
        made: _Participant = participant
        return made

    def choose(self, patterns: Sequence[str] | None, warn: Warn = no_warning) -> dict[str, _Participant]:
        """Return those that some names and wildcards stand for; without any, all that can take part."""
        chosen: dict[str, None] = dict.fromkeys(self.factories if patterns is None else ())
        for pattern in patterns or ():
            matches = fnmatch.filter(self.factories, pattern)
            if not matches:
                suggestion = did_you_mean(pattern, self.factories)
                raise UnknownMethodError(
                    f"No {self.noun} is called {pattern!r}.{suggestion} The {self.noun}s are {', '.join(self.factories)}."
                )
            chosen |= dict.fromkeys(matches)
        made = ((name, self.make_if_possible(name, patterns is None, warn)) for name in chosen)
        return {name: participant for name, participant in made if participant is not None}
