"""The version of the package: in result files, in error messages, in `actalike --version`."""

__version__ = "0.1.0"
