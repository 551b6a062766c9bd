"""The command train: a model that predicts what comes next in a running case."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.sources import JsonOption, LogArgument, MethodOption, embed_source, read_facts
from actalike.errors import ActalikeError
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.prediction import predictor
from actalike.support.extras import Extra

_LARGEST_SEED = 2**32 - 1


@with_reading_options
def train(
    log: LogArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="FILE.actalike, for the model that predict takes.")
    ],
    seed: Annotated[int, typer.Option("--seed", min=0, max=_LARGEST_SEED, help="The same seed gives the same model.")] = 0,
    method: MethodOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Train a model that predicts what comes next in a running case.

    A small neural network learns from eight of ten cases how they go on. One of ten says when to stop, and on one it is measured:
    how often the next activity, or the end of the case, was predicted rightly. Training needs torch, predicting does not.

    Examples:

    actalike train orders.xes.gz -o next.actalike

    actalike train orders.csv --case OrderId --activity Step -o next.actalike --seed 1

    actalike predict running.csv next.actalike
    """
    if output.suffix != ".actalike":
        raise ActalikeError(f"{output}: the name of a model must end in .actalike, such as next.actalike. Nothing was read.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} is no log: a model learns from the cases of one. Nothing was read.")
    reading.refuse(("name",), "means nothing here: a model knows the labels alone")
    name = full_name(method or DEFAULT_METHOD)
    make_method(name)  # a wrong name should not cost the time of reading
    torch = Extra("neural", "torch")
    if not torch.is_installed:
        torch.load(user="Training")
    check_outputs([output], reading.inputs(log, output), overwrite)
    source = reading.read(log)
    embedding = embed_source(source, name)
    epochs = 0

    def count(done: int, limit: int) -> None:
        nonlocal epochs
        epochs = done

    model = predictor(source, embedding, seed, progress=count)
    with writing(overwrite):
        model.save(output)
    if as_json:
        facts = {"activities": len(model.activities), "method": model.method, "seed": seed, "epochs": epochs}
        measured = {"held_out": None if model.held_out is None else model.held_out._asdict()}
        print_json({**facts, **measured, "output": str(output), "read": read_facts(source.reading)})
        return
    learned = f"trained on {_number(source.n_cases, 'case', 'cases')} in {_number(epochs, 'epoch', 'epochs')}"
    activities = _number(len(model.activities), "activity", "activities")
    print(f"{plain(str(output))}: {activities} ({model.method}), {learned}")
    print("Not measured: fewer than 10 cases, so none could be held out." if model.held_out is None else model.held_out)


def _number(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"
