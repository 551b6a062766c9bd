"""The commands train and predict: a model that predicts what comes next in a running case, and what it predicts."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, print_note, print_table, quoted, with_name
from actalike.cli.options import (
    JsonOption,
    LogArgument,
    MethodOption,
    ReadingOptions,
    embed_source,
    read_facts,
    with_reading_options,
)
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, is_printed, writing, written_to
from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.loading import load
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.oddities import CaseNames, OddModel, find_cases
from actalike.prediction import (
    CasePrediction,
    CasePredictions,
    Prediction,
    Predictor,
    absent_labels,
    label_readings,
    model_quality,
    predictor,
    unknown_labels,
    unpredicted_cases,
)
from actalike.support.extras import Extra
from actalike.support.files import written_together
from actalike.support.progress import tracked
from actalike.support.text import counted, percent

END = "(end)"
_LARGEST_SEED = 2**32 - 1
_SHOWN_LABELS = 20
_SMALLEST = 0.01  # probability of a further continuation that is shown on the screen


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
        raise ActalikeError(f"{log} is not a log: a model learns from the cases of one. Nothing was read.")
    reading.reject(("name",), "has no effect here: a model knows the labels alone")
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
        facts = {"schema": "actalike/train/1", **model.to_dict(), "seed": seed, "epochs": epochs}
        print_json({**facts, "output": str(output), "read": read_facts(source.reading)})
        return
    learned = f"trained on {counted(source.n_cases, 'case')} in {counted(epochs, 'epoch')}"
    activities = counted(len(model.activities), "activity", "activities")
    print(f"{plain(str(output))}: {activities} ({model.method}), {learned}")
    print("Not measured: fewer than 10 cases, so none could be held out." if model.held_out is None else model.held_out)


@with_reading_options
def predict(
    log: LogArgument,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that 'actalike train' has written (.actalike).")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the predictions of all cases to a predictions.csv; - prints it."
        ),
    ] = None,
    case_ids: Annotated[
        list[str] | None, typer.Option("--case-id", metavar="ID", help="Only this case; repeat the option for more.")
    ] = None,
    top: Annotated[int, typer.Option("--top", "-n", min=1, help="How many continuations of each case.")] = 3,
    first: Annotated[int, typer.Option("--first", min=1, help="How many cases to show; -o and --json have all.")] = 20,
    adapt: Annotated[
        bool, typer.Option("--adapt", help="Place labels that appeared after training by what is around them.")
    ] = False,
    save_adapted: Annotated[
        Path | None,
        typer.Option("--save-adapted", metavar="FILE", help="Write the model with the labels that --adapt has placed."),
    ] = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Predict what comes next in each case of a log, by a model that train has written.

    Each case is taken as far as it is in the log. The most likely next activities are listed with their probabilities; (end) is
    the end of the case.

    A label that the model does not know is an error. With --adapt such labels are placed by what is around them: each is read as
    a label that the model knows, or as something between several. A case with a label that cannot be placed gets no prediction,
    and is listed with the reason.

    Examples:

    actalike predict running.xes.gz next.actalike

    actalike predict running.csv next.actalike --case OrderId --activity Step -o predictions.csv

    actalike predict running.xes.gz next.actalike --case-id 4711 --top 10

    actalike predict running.xes.gz next.actalike --adapt --save-adapted newer.actalike
    """
    printed = is_printed(output, as_json)
    _check_outputs(log, model, output, save_adapted, overwrite, reading)
    if save_adapted is not None and not adapt:
        raise ActalikeError("--save-adapted writes what --adapt has made of the model: give both. Nothing was read.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} is not a log: give the log of running cases first, then the model. Nothing was read.")
    trained = _load_model(model)
    source = reading.read(log)
    numbers = None if case_ids is None else [number for name in dict.fromkeys(case_ids) for number in find_cases(source, name)]
    unknown = [label for label in source.activities if label not in set(trained.activities)]
    if unknown and not adapt:
        raise ActalikeError(unknown_labels(source, trained, unknown, str(log), str(model)))
    if adapt and not unknown:
        print_note(f"{log} has no label that {model} does not know.")
    if adapt and len(unknown) == len(source.activities) > 0:
        print_note(f"{model} knows no label of {log}. Is it the same process? Readings rest on the order of its steps alone.")
    with tracked("predicting"):
        used: Predictor = trained.adapt(source) if adapt else trained
        cases = used.predict_cases(source, top)
    if numbers is not None:
        cases = CasePredictions([cases[number] for number in numbers], used, source)
    with writing(overwrite), written_to(output) as file, written_together():
        if file is not None:
            cases.to_csv(file)
        if save_adapted is not None:
            used.save(save_adapted)
    if printed:
        return
    if as_json:
        facts = cases.to_dict()
        facts["model"] = {"file": str(model), **facts["model"]}
        written = {"output": output, "adapted_output": save_adapted}
        print_json({**facts, **{key: None if path is None else str(path) for key, path in written.items()}})
        return
    _print_labels(cases)
    _print_predictions(cases, first, output)
    for remark in (unpredicted_cases(cases), absent_labels(cases) if unknown else "", model_quality(used)):
        if remark:
            print(f"\n{plain(remark)}")
    _print_written(cases, output, save_adapted)


def _check_outputs(
    log: Path, model: Path, output: Path | None, save_adapted: Path | None, overwrite: bool, reading: ReadingOptions
) -> None:
    """Check that both outputs can be written, are different files, and that neither is the log or the model."""
    check_csv(output, "predictions.csv")
    if save_adapted is not None and save_adapted.suffix != ".actalike":
        raise ActalikeError(
            f"--save-adapted {str(save_adapted)!r} is not the name of a model: it must end in .actalike. Nothing was read."
        )
    outputs = [path for path in (output, save_adapted) if path is not None]
    check_outputs(outputs, [], overwrite=True)
    for path, option in ((output, "--output"), (save_adapted, "--save-adapted")):
        if path is not None:
            check_outputs([path], [*reading.inputs(log, path), model], overwrite, option=option)


def _load_model(path: Path) -> Predictor:
    content = load(path) if path.suffix == ".actalike" else None
    if isinstance(content, Predictor):
        return content
    if content is None:
        held = "is not a model: its name does not end in .actalike"
    elif isinstance(content, OddModel):
        held = "holds a model of odd events, and none that predicts"
    elif isinstance(content, Embedding):
        held = "holds an embedding, and no model that predicts"
    else:
        held = f"holds {'window counts' if isinstance(content, WindowCounts) else 'a stream'}, and no model that predicts"
    raise ActalikeError(f"{path} {held}; 'actalike train LOG -o next.actalike' makes one. Nothing was predicted.")


def _print_labels(cases: CasePredictions) -> None:
    """Print as what each label of the log is read that appeared after training."""
    lines = label_readings(cases)
    for line in lines[:_SHOWN_LABELS]:
        print(plain(line))
    if len(lines) > _SHOWN_LABELS:
        print(f"and {len(lines) - _SHOWN_LABELS:,} more labels that appeared after training: --json has all")
    if lines:
        print()


def _print_predictions(cases: CasePredictions, first: int, output: Path | None) -> None:
    """Print the most likely continuation of the first cases, with its probability, and the next likely ones."""
    names = CaseNames(cases.log)
    rows = [_row(one, names.of(one.case_number), cases.log) for one in cases[:first]]
    print_table(("case", "events", "last activity", "next", "probability", "otherwise"), rows, right=(1, 4))
    if len(cases) > first:
        writes = ", -o FILE writes all" if output is None else ""
        print(f"\nand {counted(len(cases) - first, 'more case')}: --first N shows more{writes}")


def _print_written(cases: CasePredictions, output: Path | None, save_adapted: Path | None) -> None:
    if output is not None:
        print(plain(f"{quoted(str(output))} has what comes next in {counted(len(cases), 'case')}."))
    if save_adapted is not None:
        placed = counted(len(cases.predictor.placed), "label")
        content = (
            f"with {placed} that appeared after training" if cases.predictor.placed else "and knows no label more than before"
        )
        print(plain(f"{quoted(str(save_adapted))} is the model {content}."))


def _row(one: CasePrediction, name: str, log: EventLog) -> tuple[str, ...]:
    last = "-" if one.last_activity is None else with_name(one.last_activity, log.names)
    begins = name, f"{one.events:,}", last
    if not one.predictions:
        return *begins, "no prediction", "-", one.note
    likeliest, *others = one.predictions
    otherwise = [f"{_shown(other, log)} {percent(other.probability)}" for other in others if other.probability >= _SMALLEST]
    return *begins, _shown(likeliest, log), percent(likeliest.probability), ", ".join(otherwise)


def _shown(prediction: Prediction, log: EventLog) -> str:
    """Return a label as it is shown; one that reads as the end of the case does is quoted."""
    if prediction.activity is None:
        return END
    return repr(prediction.activity) if prediction.activity == END else with_name(prediction.activity, log.names)
