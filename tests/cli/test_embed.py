"""The command embed."""

import json
from pathlib import Path

import pytest

from tests.helpers.commands import fails, ok


@pytest.mark.parametrize("ending", [".actalike", ".csv", ".parquet", ".vec", "/"])
def test_every_format_is_written(log, tmp_path, ending):
    target = f"{tmp_path}/vectors{ending}"
    assert "30 activities x 30 dimensions" in ok("embed", log, "-o", target)
    facts = json.loads(ok("embed", log, "-o", target, "--overwrite", "--json"))
    assert facts.pop("read")["cases"] == 200
    assert facts == {"schema": "actalike/embed/1", "method": "kin-w5", "activities": 30, "dimensions": 30, "output": target}
    assert Path(target).exists()


def test_the_method_is_named_in_full(log, tmp_path):
    target = tmp_path / "vectors.csv"
    assert "30 activities x 4 dimensions (aa-sequence-pmi-w3+svd4)" in ok(
        "embed", log, "-m", "aa-sequence-pmi+svd4", "-o", target
    )


def test_wrong_outputs_are_errors(log, tmp_path):
    assert "must end in .actalike" in fails("embed", log, "-o", tmp_path / "x.txt")
    assert f"such as {tmp_path / 'proj'}/" in fails("embed", log, "-o", tmp_path / "proj")
    assert "cannot be written" in fails("embed", log, "-o", tmp_path / "no" / "x.actalike")
