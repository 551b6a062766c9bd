"""Results with names and errors that try to break out of a page."""

import shutil
from pathlib import Path
from unittest.mock import patch

from actalike import EventLog, write_log
from actalike.demo.loan_desk import loan_desk
from actalike.methods import registry
from tests.helpers.benchmark_runs import measured_here, run_here

METHODS = ("aa-sequence-pmi-w3", "aa-sequence-pmi-w5", "ac-sequence-raw-w3", "kin-w5", "one-hot")
HOSTILE = "<img src=x onerror=alert(1)> {{script}}"
PLUGIN = """
import actalike

class Broken:
    def fit(self, log):
        if log.n_cases < 60:
            return actalike.OneHotEmbedder().fit(log)
        raise RuntimeError("</script><script>alert(2)</script> no luck")

actalike.register("broken", Broken)
"""


def make_results(small_logs: Path, place: Path) -> dict[str, Path]:
    """Run the intrinsic and the efficiency benchmark: a log has a hostile name, and a method fails on some logs."""
    logs = place / "logs"
    shutil.copytree(small_logs, logs)
    write_log(EventLog.from_traces([list("abcabd"), list("bcad"), list("dcba")] * 9), logs / f"{HOSTILE}.csv")
    write_log(loan_desk(40), logs / "another.csv")
    (place / "plugin.py").write_text(PLUGIN)
    chosen = ("--logs", logs, "--methods", *METHODS, "broken", "--plugin", place / "plugin.py")
    with patch.dict(registry._REGISTRY):  # as it was before, without the method of the plugin
        run_here("intrinsic", *chosen, "--r", "2", "--w", "2-3", "--samples", "2", "--out", place / "intrinsic", code=1)
        timed = ("--logs", logs / "plain.csv", logs / f"{HOSTILE}.csv", *chosen[2:])  # fails on one, and not on the other
        with measured_here():
            run_here("efficiency", *timed, "--repeats", "1", "--out", place / "efficiency", code=1)
    return {"intrinsic": place / "intrinsic", "efficiency": place / "efficiency"}
