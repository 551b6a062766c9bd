import polars as pl
import pytest

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.tasks.intrinsic import Intrinsic, IntrinsicResults

ROWS = [  # method, log, sample, I_comp, I_nn, I_prec, I_tri, error
    ("kin-w3", "loan", 0, 0.5, 0.4, 0.3, 0.2, None),
    ("kin-w3", "loan", 1, 0.7, 0.6, 0.5, 0.4, None),
    ("kin-w3", "plain", 0, 0.8, 0.7, 0.6, None, None),
    ("kin-w5", "loan", 0, 0.9, 0.9, 0.9, 0.9, None),
    ("kin-w5", "plain", 0, None, None, None, None, "RuntimeError: no luck"),
    ("one-hot", "loan", 0, 0.0, 0.1, 0.1, 0.0, None),
    ("one-hot", "plain", 0, 0.0, 0.3, 0.3, 0.0, None),
]


@pytest.fixture
def few_results(tmp_path):
    """Results of three methods on two logs, without a run; one method failed on one log."""
    columns = ["method", "log", "sample", "I_comp", "I_nn", "I_prec", "I_tri", "error"]
    singles = pl.DataFrame(ROWS, schema=columns, orient="row").with_columns(pl.lit(1).alias("r"), pl.lit(2).alias("w"))
    return IntrinsicResults(ResultFolder(tmp_path, {"benchmark": "intrinsic"}, {}), singles, Intrinsic(), {}, frozenset())
