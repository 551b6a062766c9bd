"""What is trained: cases as runs of ids, and vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike.prediction.training.task import Part, Task, TaskError, Vectors, load_task, load_vectors

runs = st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5)


def part_of(cases):
    return Part(np.array([i for case in cases for i in case], dtype=np.int64), np.cumsum([0, *map(len, cases)]))


@given(runs)
def test_after_each_event_comes_the_next_or_the_end(cases):
    part = part_of(cases)
    task = Task(6, 5, part_of([]), part_of([]), part)
    assert task.targets().tolist() == [following for case in cases for following in [*case, 5][1:]]
    assert part.stream(5).tolist() == [i for case in cases for i in [*case, 5]]
    assert part.lengths.tolist() == [len(case) for case in cases]


@given(runs, st.permutations(range(5)))
def test_what_is_predicted_of_changed_labels_is_their_meaning(cases, meaning):
    task = Task(6, 5, part_of([]), part_of([]), part_of(cases), np.array([*meaning, 5]))
    assert task.targets().tolist() == [[*meaning, 5][following] for case in cases for following in [*case, 5][1:]]


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
    assert task.meaning is None
    np.savez(tmp_path / "changed.npz", meaning=[0, 1, 2, 3, 1], **contents)
    assert load_task(tmp_path / "changed.npz").meaning.tolist() == [0, 1, 2, 3, 1]
    vectors = Vectors.of("m", np.eye(4, dtype=np.float32))
    np.savez(tmp_path / "m.npz", dimensions=4, data=vectors.data, indices=vectors.indices, indptr=vectors.indptr)
    (loaded,) = load_vectors(tmp_path, ["m"])
    assert (loaded.dense() == np.eye(4)).all()
    whole = (tmp_path / "task.npz").read_bytes()
    for end in (0, 10, len(whole) // 2, len(whole) - 10):
        (tmp_path / "task.npz").write_bytes(whole[:end])
        with pytest.raises(TaskError, match="prepare"):
            load_task(tmp_path / "task.npz")
