"""The command embed: the vectors of the activities, in a file."""

from typing import Annotated

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import SourceOptions, with_reading_options
from actalike.cli.sources import JsonOption, MethodOption, SourceArgument, embed_source, open_source
from actalike.embedding import files_of, writer


@with_reading_options
def embed(
    log: SourceArgument,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="FILE.actalike, .csv, .parquet, .vec (word2vec), or FOLDER/ for the projector.",
        ),
    ],
    method: MethodOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Write a vector for each activity to a file.

    Examples:

    actalike embed orders.xes.gz -o orders.actalike

    actalike embed orders.xes.gz -o vectors.parquet --method ac-multiset-ppmi-w5

    actalike embed 'events/*.parquet' -o orders.actalike --engine duckdb --case order --activity step --order at --memory 4GB
    """
    reading.refuse(("name",), "means nothing here: vectors are written under the labels alone")
    write = writer(output)  # first of all: a wrong name should not cost the time of reading
    files = files_of(output)
    check_outputs(files, reading.inputs(log, *files), overwrite, folders=output.endswith("/"))
    source, read = open_source(log, reading, method)
    embedding = embed_source(source, method)
    with writing(overwrite):
        write(embedding)
    activities, dimensions = embedding.stored_vectors.shape
    if as_json:
        facts = {"method": embedding.method, "activities": activities, "dimensions": dimensions, "output": output}
        print_json({"schema": "actalike/embed/1", **facts, "read": read})
    else:
        print(f"{plain(output)}: {activities:,} activities x {dimensions:,} dimensions ({embedding.method})")
