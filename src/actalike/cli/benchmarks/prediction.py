"""actalike benchmark prediction."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from actalike.cli.benchmarks.running import AsJson, Logs, Methods, Out, Plugin, RetryFailed, run
from actalike.cli.console import command_line, plain, print_json, quoted

if TYPE_CHECKING:
    from actalike.benchmark.prediction.run import PredictionOutcome

# written out, so that help needs no room of the package; a test holds it to the models that there are
MODELS_HELP = "Of evermann, evermann-scaled, evermann-unscaled, evermann-published, tax, tax-published. [evermann]"
SETTING_HELP = (
    "What networks learn from and are tested on. few-cases: 1 to 25 % of the training cases. changed-labels: new names in the "
    "test cases."
)


class SettingChoice(StrEnum):
    """What networks learn from and are tested on."""

    standard = "standard"
    few_cases = "few-cases"
    changed_labels = "changed-labels"


class DeviceChoice(StrEnum):
    """Where training happens."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


def prediction(
    logs: Logs,
    out: Out,
    patterns: Methods = None,
    models: Annotated[list[str] | None, typer.Option("--models", metavar="MODEL...", help=MODELS_HELP)] = None,
    setting: Annotated[SettingChoice, typer.Option(help=SETTING_HELP)] = SettingChoice.standard,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings of each method, which differ by chance alone.")] = 5,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="How often a training goes through all cases, at most. [100, or the model's own]")
    ] = None,
    device: Annotated[
        DeviceChoice, typer.Option(help="Where to train: auto takes a GPU where there is one.")
    ] = DeviceChoice.auto,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that train at a time on a CPU. [as many as it has cores]")
    ] = None,
    prepare_only: Annotated[
        bool, typer.Option("--prepare-only", help="Write ids and vectors, and let another machine train (see the docs).")
    ] = False,
    plugin: Plugin = None,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Run the next-activity benchmark: a network predicts what comes next from a method's vectors, which it cannot change.

    Many methods of a log train together. Stop it at any time; the same command goes on where it stopped. Then: actalike
    benchmark table DIR

    Examples:

    actalike benchmark prediction --logs orders.xes.gz --methods kin-w5 aa-sequence-pmi-w3 --out results

    actalike benchmark prediction --logs event_logs/ --models evermann evermann-published --out results

    actalike benchmark prediction --logs event_logs/ --setting changed-labels --methods kin-w5 --out changed
    """
    outcome = run(
        "prediction",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        models=models or ["evermann"],
        setting=setting.value,
        seeds=seeds,
        epochs=epochs,
        device=device.value,
        jobs=jobs,
        prepare_only=prepare_only,
        retry_failed=retry_failed,
    )
    _print_outcome(cast("PredictionOutcome", outcome), as_json)
    if outcome.failures:
        raise typer.Exit(1)


def _print_outcome(outcome: "PredictionOutcome", as_json: bool) -> None:
    out, device, logs, models = outcome.out, outcome.device, outcome.logs, outcome.models
    if as_json:
        failed = [failure.as_dict() for failure in outcome.failures]
        facts = {
            "schema": "actalike/benchmark-prediction/1",
            "out": str(out),
            "device": device,
            "setting": outcome.setting,
            "logs": logs,
            "models": models,
        }
        print_json({**facts, "failed": failed})
        return
    for failure in outcome.failures:
        print(plain(f"{failure.model} with {failure.method} failed on {failure.log}: {failure.error}"))
    size = f"{len(logs):,} logs, {len(outcome.methods):,} methods, {len(models):,} models, {outcome.seeds} seeds"
    if outcome.setting != SettingChoice.standard:
        size += f", {outcome.setting}"
    if device is None:
        from actalike.prediction.training import task

        folder = Path(task.__file__).parents[1]
        place = str(out) if not str(out).startswith("-") else f"./{out}"
        command = f"PYTHONPATH={quoted(str(folder))} python -m training {quoted(place)}"
        print(f"{plain(str(out))} is prepared: {size}. Next, where torch is: {command}")
    else:
        print(f"{plain(str(out))}: {size} ({device}).")
        print(f"Next: {command_line('benchmark', 'table', out)}")
