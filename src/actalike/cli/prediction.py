"""The command of the next-activity benchmark."""

import itertools
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from actalike.benchmark.chosen_methods import load_plugin, make_methods, matching, tell_left_out
from actalike.benchmark.logs import find_logs
from actalike.benchmark.prediction import run as runner
from actalike.cli.console import plain, print_json, working_progress
from actalike.errors import ActalikeError, did_you_mean
from actalike.methods import missing_extra
from actalike.prediction.training import names
from actalike.prediction.training.names import MODELS, methods_of

_PERCENT = 100  # progress is told in hundredths of a training


class _Steps:
    """Progress of one training; where it ends early, the rest is done at once."""

    def __init__(self, what: str, advance: Callable[..., None]) -> None:
        self.what, self.advance, self.told = what, advance, 0

    def __call__(self, part: str, done: int, epochs: int) -> None:
        self._tell(min(done * _PERCENT // epochs, _PERCENT - 1))

    def finish(self) -> None:
        """Tell that all of it is done."""
        self._tell(_PERCENT)

    def _tell(self, percent: int) -> None:
        self.advance(self.what, max(percent - self.told, 0))
        self.told = max(percent, self.told)


class DeviceChoice(StrEnum):
    """Where training happens."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


def prediction(
    logs: Annotated[list[Path], typer.Option("--logs", metavar="PATH...", help="Logs, or folders of logs.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of results; what is there is not computed again.")],
    patterns: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="PATTERN...", help="Methods, e.g. 'aa-*' act2vec-cbow-w3. [those that count]"),
    ] = None,
    models: Annotated[
        list[str] | None, typer.Option("--models", metavar="MODEL...", help=f"Of {', '.join(MODELS)}. [evermann]")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings of each method, which differ by chance alone.")] = 5,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="How often a training goes through all cases, at most. [100, or the model's own]")
    ] = None,
    device: Annotated[
        DeviceChoice, typer.Option(help="Where to train: auto takes a GPU where there is one.")
    ] = DeviceChoice.auto,
    prepare_only: Annotated[
        bool, typer.Option("--prepare-only", help="Write ids and vectors, and let another machine train (see the docs).")
    ] = False,
    plugin: Annotated[list[str] | None, typer.Option(help="A module or .py file that registers methods.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Compute failed methods again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """The next-activity benchmark: a network predicts what comes next from a method's vectors, which it cannot change.

    All methods of a log train together. Stop it at any time; the same command goes on where it stopped. Then: actalike
    benchmark table DIR

    Examples:

    actalike benchmark prediction --logs orders.xes.gz --methods kin-w5 aa-sequence-pmi-w3 --out results

    actalike benchmark prediction --logs event_logs/ --models evermann evermann-published --out results
    """
    for name in plugin or []:
        load_plugin(name)
    wanted = models or ["evermann"]
    for model in wanted:
        if model not in MODELS:
            raise ActalikeError(f"No model is called {model!r}.{did_you_mean(model, MODELS)} There are {', '.join(MODELS)}.")
    chosen = make_methods(matching(patterns, missing_extra), missing_extra)
    for name in [name for model in wanted for name in methods_of(model, []) if name in chosen]:
        raise ActalikeError(f"{name!r} is what a model alone is called here: register your method under another name.")
    place = None if prepare_only else runner.choose_device(device.value)
    files = find_logs(logs, "next_activity")
    tell_left_out(files)
    plan = runner.Plan(seeds, epochs)
    runner.open_folder(out, plan)
    failures: dict[tuple[str, str, str], str] = {}
    try:
        opened = [runner.open_log(out, name, files) for name in files.names]
        runner.note_request(out, files.names, list(chosen), wanted)
        with working_progress("vectors", len(files.names) * len(chosen)) as advance:
            for log in opened:
                runner.prepare_log(out, log, chosen, retry_failed, advance)
        with working_progress("training", len(files.names) * len(wanted) * _PERCENT) as advance:
            for name, model in itertools.product(files.names, wanted):
                if place is None:
                    errors = runner.note_failures(out / name, model, list(chosen), retry_failed)
                else:
                    steps = _Steps(f"{name}, {model}", advance)
                    errors = runner.train_log(out, name, model, list(chosen), plan, place, retry_failed, steps)
                    steps.finish()
                failures |= {(model, method, name): error for method, error in errors.items()}
    except KeyboardInterrupt:
        print(f"actalike: stopped. What is finished is in {out}; the same command goes on from there.", file=sys.stderr)
        raise typer.Exit(130) from None
    if as_json:
        keys = ("model", "method", "log", "error")
        failed = [dict(zip(keys, (*where, error), strict=True)) for where, error in sorted(failures.items())]
        print_json({"out": str(out), "device": place, "logs": files.names, "models": wanted, "failed": failed})
    else:
        for (model, method, name), error in sorted(failures.items()):
            print(plain(f"{model} with {method} failed on {name}: {error}"))
        size = f"{len(files.names):,} logs, {len(chosen):,} methods, {len(wanted):,} models, {seeds} seeds"
        if place is None:
            folder = Path(names.__file__).parents[1]
            print(f"{out} is prepared: {size}. Next, where torch is: PYTHONPATH={folder} python -m training {out}")
        else:
            print(f"{out}: {size} ({place}).")
            print(f"Next: actalike benchmark table {out}")
