"""Prepared folders: what is read, trained, written, and what a killed process leaves."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike.prediction.training import run, task
from actalike.prediction.training.evermann import SoundTrainer
from actalike.prediction.training.task import Part, Task, TaskError, Vectors, load_task, load_vectors
from actalike.prediction.training.tax import seconds_of
from tests.helpers.tax_runs import (
    END,
    V,
    some_task,
)

runs = st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5)


def train_log(folder, model, methods, seeds, device, progress, epochs=None):
    """Train some methods of a log part by part."""
    for part in run.parts_of(folder, model, methods, seeds, device):
        run.train_part(folder, model, part, seeds, device, progress, epochs)
    run.remove_checkpoints(folder, model)


def part_of(cases):
    return Part(np.array([i for case in cases for i in case], dtype=np.int64), np.cumsum([0, *map(len, cases)]))


@given(runs)
def test_after_each_event_comes_the_next_or_the_end(cases):
    part = part_of(cases)
    task = Task(6, 5, part_of([]), part_of([]), part)
    assert task.targets().tolist() == [following for case in cases for following in [*case, 5][1:]]
    assert part.stream(5).tolist() == [i for case in cases for i in [*case, 5]]
    assert part.lengths.tolist() == [len(case) for case in cases]


@given(arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.sampled_from([0, 0, 1, -2.5])))
def test_vectors_are_sparse_and_written_out_the_same(table):
    vectors = Vectors.of("m", table)
    assert (vectors.dense() == table).all()
    assert len(vectors.data) == np.count_nonzero(table)


def test_prepared_files_come_back_and_damaged_ones_are_named(tmp_path):
    parts = {name: part_of(cases) for name, cases in (("training", [[0, 1], [2]]), ("validation", [[1]]), ("test", [[2, 0]]))}
    contents = {"vocabulary_size": 4, "end": 3}
    for name, part in parts.items():
        contents |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets}
    np.savez(tmp_path / "task.npz", **contents)
    task = load_task(tmp_path / "task.npz")
    assert (task.vocabulary_size, task.end, task.test.ids.tolist(), task.test.seconds) == (4, 3, [2, 0], None)
    vectors = Vectors.of("m", np.eye(4, dtype=np.float32))
    np.savez(tmp_path / "m.npz", dimensions=4, data=vectors.data, indices=vectors.indices, indptr=vectors.indptr)
    (loaded,) = load_vectors(tmp_path, ["m"])
    assert (loaded.dense() == np.eye(4)).all()
    whole = (tmp_path / "task.npz").read_bytes()
    for end in (0, 10, len(whole) // 2, len(whole) - 10):
        (tmp_path / "task.npz").write_bytes(whole[:end])
        with pytest.raises(TaskError, match="prepare"):
            load_task(tmp_path / "task.npz")


def written(folder: Path, task):
    arrays = {"vocabulary_size": V, "end": END}
    for name in ("training", "validation", "test"):
        part = getattr(task, name)
        arrays |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets, f"{name}_seconds": seconds_of(part)}
    folder.mkdir()
    np.savez(folder / "task.npz", **arrays)
    (folder / "log.json").write_text(json.dumps({"log_digest": "abc"}))


@pytest.mark.parametrize("model", ["tax", "tax-published"])
def test_a_folder_without_vectors_gets_results_of_the_one_method(tmp_path, model):
    folder = tmp_path / "log"
    written(folder, some_task())
    methods = task.methods_of(model, ["aa", "ac"])
    assert methods == run.missing(folder, model, methods, seeds=2) == ["tax"]
    train_log(folder, model, methods, 2, "cpu", lambda *_: None, epochs=1)
    found = json.loads((folder / "results" / model / "tax.json").read_text())
    assert (found["method"], found["model"], found["log_digest"], found["predictions"]) == ("tax", model, "abc", 16)
    assert [seed["seed"] for seed in found["seeds"]] == [0, 1]
    assert all(seed["time_mae"] > 0 for seed in found["seeds"])
    assert run.missing(folder, model, methods, seeds=2) == []


METHODS = [f"method-{number}" for number in range(5)]


@pytest.fixture
def folder(tmp_path):
    """A folder with the vectors of five methods; a third of them have more dimensions."""
    folder = tmp_path / "log"
    written(folder, some_task())
    (folder / "vectors").mkdir()
    for number, method in enumerate(METHODS):
        table = np.random.default_rng(number).normal(size=(V, 3 + number % 3 // 2)).astype(np.float32)
        vectors = Vectors.of(method, table)
        arrays = {"data": vectors.data, "indices": vectors.indices, "indptr": vectors.indptr, "dimensions": vectors.dimensions}
        np.savez(folder / "vectors" / f"{method}.npz", **arrays)
        described = {"method": method, "log_digest": "abc", "dimensions": vectors.dimensions}
        (folder / "vectors" / f"{method}.json").write_text(json.dumps(described))
    return folder


def results_of(folder):
    return {path.name: path.read_bytes() for path in (folder / "results" / "evermann").iterdir()}


def test_on_a_cpu_a_part_has_about_forty_models_and_on_a_gpu_all_that_fit(folder):
    methods = [*METHODS, "original"]
    in_order = [METHODS[0], METHODS[1], METHODS[3], METHODS[4], METHODS[2], "original"]  # by dimensions, then by name
    assert run.parts_of(folder, "evermann", methods, 5, "cuda") == [in_order]
    assert run.parts_of(folder, "evermann", methods, 6, "cpu") == [in_order]
    assert run.parts_of(folder, "evermann", methods, 8, "cpu") == [in_order[:3], in_order[3:]]
    assert run.parts_of(folder, "evermann", methods, 60, "cpu") == [[method] for method in in_order]
    assert run.parts_of(folder, "evermann", [], 5, "cpu") == []


def test_methods_of_many_dimensions_are_divided_by_the_memory_that_they_need(folder, monkeypatch):
    monkeypatch.setitem(run._MEMORY, "cpu", 4 * 3 * 1440 * 2)
    assert run.parts_of(folder, "evermann", METHODS, 1, "cpu") == [
        [METHODS[0], METHODS[1]],
        [METHODS[3], METHODS[4]],
        [METHODS[2]],
    ]


def test_every_part_has_its_own_checkpoint_and_goes_on_from_it(folder, monkeypatch):
    methods = [*METHODS, "original"]
    monkeypatch.setattr(run, "SAVE_EVERY", -1.0)
    monkeypatch.setitem(run._MODELS_AT_ONCE, "cpu", 4)
    arguments = ("evermann", methods, 2, "cpu", lambda *_: None, 3)
    train_log(folder, *arguments)
    expected = results_of(folder)
    assert set(expected) == {f"{method}.json" for method in methods}
    for path in (folder / "results" / "evermann").iterdir():
        path.unlink()

    epochs = []
    train_epoch = SoundTrainer.train_epoch

    def stopped_in_the_third(self):
        if self.epoch == 2:
            raise KeyboardInterrupt
        train_epoch(self)

    def noted(self):
        epochs.append(self.epoch)
        train_epoch(self)

    monkeypatch.setattr(SoundTrainer, "train_epoch", stopped_in_the_third)
    parts = run.parts_of(folder, "evermann", methods, 2, "cpu")
    assert [len(part) for part in parts] == [2, 2, 2]
    for part in parts:
        with pytest.raises(KeyboardInterrupt):
            run.train_part(folder, "evermann", part, *arguments[2:])
    assert len(results_of(folder)) == len([name for name in results_of(folder) if name.startswith("checkpoint-")]) == 3
    monkeypatch.setattr(SoundTrainer, "train_epoch", noted)
    train_log(folder, *arguments)
    assert epochs == [2, 2, 2]
    assert results_of(folder) == expected


def test_when_a_log_is_trained_no_checkpoint_is_left_even_of_other_parts(folder):
    results = folder / "results" / "evermann"
    results.mkdir(parents=True)
    for name in ("checkpoint.npz", "checkpoint-01234567.npz"):
        (results / name).write_bytes(b"of another training")
    train_log(folder, "evermann", METHODS[:1], 1, "cpu", lambda *_: None, 1)
    assert set(results_of(folder)) == {f"{METHODS[0]}.json"}


def test_every_name_is_of_a_model():
    assert set(task.MODELS) == set(run.TRAINERS)
