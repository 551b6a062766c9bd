"""Load optional packages when they are used; the error about a missing one says how to install it."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any

from actalike.errors import MissingExtraError


@dataclass(frozen=True)
class Extra:
    """Name an optional package and the extra of actalike that installs it.

    >>> Extra("neural", "no_such_package").load()
    Traceback (most recent call last):
    actalike.errors.MissingExtraError: This needs no_such_package: pip install 'actalike[neural]'.
    """

    name: str
    package: str

    @property
    def is_installed(self) -> bool:
        """Return whether the package is installed, without loading it."""
        try:
            return importlib.util.find_spec(self.package) is not None
        except (ImportError, ValueError):
            return False

    @property
    def remedy(self) -> str:
        """Return the end of an error message: the missing package and the command that installs it."""
        return f"needs {self.package}: pip install 'actalike[{self.name}]'"

    def load(self, module: str | None = None, user: str = "This") -> Any:
        """Import and return the package or one of its modules, or raise an error that says how to install it.

        ``user`` is the subject of the error's sentence: what needs the package.
        """
        try:
            return importlib.import_module(module or self.package)
        except ImportError as error:
            if isinstance(error, ModuleNotFoundError) and (error.name or self.package).partition(".")[0] == self.package:
                raise MissingExtraError(f"{user} {self.remedy}.") from None
            raise MissingExtraError(f"{user} {self.remedy}; it is installed, but cannot be loaded ({error}).") from None
