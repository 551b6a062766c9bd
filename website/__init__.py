"""The documentation site: what mkdocs.yml needs beside the pages in docs/. ``make docs`` builds it."""
