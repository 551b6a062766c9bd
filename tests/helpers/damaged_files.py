"""Saved files that no version of actalike would have written."""

import json

from safetensors import safe_open
from safetensors.numpy import save

from actalike import embed


def contents(path):
    """The header and the arrays of a saved file, as the safetensors package reads them."""
    with safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["actalike"]), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def write_unchecked(path, header, arrays):
    """Write a container that is sound, with a header and arrays that may be anything; a text is a header as it is."""
    path.write_bytes(save(arrays, {"actalike": header if isinstance(header, str) else json.dumps(header)}))
    return path


def damaged(log, method, damage, path):
    """The file of an embedding, with some of its arrays replaced."""
    embed(log, method).save(path)
    header, arrays = contents(path)
    return write_unchecked(path, header, arrays | damage)
