"""The version of the package: in result files, in error messages, in `actalike --version`. It is said here only."""

__version__ = "0.3.0"
