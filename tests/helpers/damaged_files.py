"""Saved files with parts that contradict each other."""

from safetensors import safe_open
from safetensors.numpy import save

from actalike import embed


def damaged(log, method, damage, path):
    """The file of an embedding, with some of its arrays replaced."""
    embed(log, method).save(path)
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    path.write_bytes(save(arrays | damage, metadata))
    return path
