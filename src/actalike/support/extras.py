"""Packages that only some methods need: loaded at use, and asked for in one sentence where they are missing."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any

from actalike.errors import MissingExtraError


@dataclass(frozen=True)
class Extra:
    """A package, and the extra of actalike that installs it.

    >>> Extra("neural", "no_such_package").load()
    Traceback (most recent call last):
    actalike.errors.MissingExtraError: This needs no_such_package: pip install 'actalike[neural]'.
    """

    name: str
    package: str

    @property
    def is_installed(self) -> bool:
        """Whether the package is there, without loading it."""
        try:
            return importlib.util.find_spec(self.package) is not None
        except (ImportError, ValueError):
            return False

    @property
    def remedy(self) -> str:
        """What to do where it is missing."""
        return f"needs {self.package}: pip install 'actalike[{self.name}]'"

    def load(self, module: str | None = None, user: str = "This") -> Any:
        """The package, or a module of it; an error with the remedy where it is missing."""
        try:
            return importlib.import_module(module or self.package)
        except ImportError as error:
            if isinstance(error, ModuleNotFoundError) and (error.name or self.package).partition(".")[0] == self.package:
                raise MissingExtraError(f"{user} {self.remedy}.") from None
            raise MissingExtraError(f"{user} {self.remedy}; it is there, but cannot be loaded ({error}).") from None
