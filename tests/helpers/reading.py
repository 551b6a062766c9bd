import tempfile
from pathlib import Path

from actalike import read_log


def read_bytes(content: bytes, name: str, **options):
    """Read a log from bytes, through a file of this name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return read_log(path, **options)
