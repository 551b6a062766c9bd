"""The command predict: what comes next in each case of a log."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import print_json, print_note
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, writing
from actalike.cli.predict_output import model_facts, print_absent, print_labels, print_predictions, print_written, unknown_words
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.cli.sources import JsonOption, LogArgument, read_facts
from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.loading import load
from actalike.oddities import find_cases
from actalike.prediction import Predictor, prediction_facts, write_predictions
from actalike.support.files import written_together
from actalike.support.progress import tracked


@with_reading_options
def predict(
    log: LogArgument,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that 'actalike train' has written (.actalike).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the predictions of all cases to a predictions.csv."),
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
    _check_outputs(log, model, output, save_adapted, overwrite, reading)
    if save_adapted is not None and not adapt:
        raise ActalikeError("--save-adapted writes what --adapt has made of the model: give both. Nothing was read.")
    if log.suffix == ".actalike":
        raise ActalikeError(f"{log} is no log: give the log of running cases first, then the model. Nothing was read.")
    trained = _load_model(model)
    source = reading.read(log)
    numbers = None if case_ids is None else [number for name in dict.fromkeys(case_ids) for number in find_cases(source, name)]
    unknown = [label for label in source.activities if label not in set(trained.activities)]
    if unknown and not adapt:
        raise ActalikeError(unknown_words(source, trained, unknown, log, model))
    if adapt and not unknown:
        print_note(f"{log} has no label that {model} does not know.")
    if adapt and len(unknown) == len(source.activities) > 0:
        print_note(f"{model} knows no label of {log}. Is it the same process? Readings rest on the order of its steps alone.")
    with tracked("predicting"):
        used: Predictor = trained.adapt(source) if adapt else trained
        cases = used.predict_cases(source, top)
    cases = cases if numbers is None else [cases[number] for number in numbers]
    with writing(overwrite), written_together():
        if output is not None:
            write_predictions(cases, output)
        if save_adapted is not None:
            used.save(save_adapted)
    if as_json:
        written = {"output": None if output is None else str(output)}
        written |= {"adapted_output": None if save_adapted is None else str(save_adapted)}
        facts = {**model_facts(used, trained, model), "cases": prediction_facts(cases), "names": source.names}
        print_json({**facts, **written, "read": read_facts(source.reading)})
        return
    print_labels(used, trained, source)
    print_predictions(cases, source, first, output)
    if unknown:
        print_absent(cases, source)
    print_written(cases, used, output, save_adapted)


def _check_outputs(
    log: Path, model: Path, output: Path | None, save_adapted: Path | None, overwrite: bool, reading: ReadingOptions
) -> None:
    """Check that both outputs can be written, are different files, and that neither is the log or the model."""
    check_csv(output, "predictions.csv")
    if save_adapted is not None and save_adapted.suffix != ".actalike":
        raise ActalikeError(
            f"--save-adapted {str(save_adapted)!r} is no name of a model: it must end in .actalike. Nothing was read."
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
        held = "is no model: its name does not end in .actalike"
    elif isinstance(content, Embedding):
        held = "holds an embedding, and no model that predicts"
    else:
        held = f"holds {'window counts' if isinstance(content, WindowCounts) else 'a stream'}, and no model that predicts"
    raise ActalikeError(f"{path} {held}; 'actalike train LOG -o next.actalike' makes one. Nothing was predicted.")
