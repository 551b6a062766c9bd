"""Cases as vectors: by the definition, and by scikit-learn's own checks."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError as SklearnNotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import InputTags, estimator_checks
from sklearn.utils.validation import check_is_fitted, validate_data

from actalike import ActalikeError, EventLog, LogError, SimilarSteps, embed, same_step
from tests.helpers.examples import examples
from tests.helpers.strategies import traces

METHOD = "ac-sequence-raw-w3"


def naive(fitted, cases, norm, method):
    """x_j = sum over events of max(0, similarity); then divided by the norm."""
    log = EventLog.from_traces(fitted)
    similarity = same_step(log).interchangeable if method is None else embed(log, method).similarity
    rows = []
    for case in cases:
        known = [label for label in case if label in log.activities]
        row = [sum(max(0.0, similarity(label, other)) for label in known) for other in log.activities]
        size = {"l1": sum(row), "l2": sum(x * x for x in row) ** 0.5, None: 1.0}[norm]
        rows.append([x / size if size else 0.0 for x in row])
    return np.array(rows)


@examples(8)
@given(traces(), traces())
def test_vectors_are_sums_of_similarities(fitted, cases):
    for norm, method in ((None, None), ("l1", METHOD), ("l2", "kin")):
        steps = SimilarSteps(method, norm).fit(fitted)
        assert steps.transform(cases) == pytest.approx(naive(fitted, cases, norm, method), abs=1e-9)
        assert (steps.transform(cases) == steps.transform(EventLog.from_traces(cases))).all()
    assert steps.get_feature_names_out().tolist() == EventLog.from_traces(fitted).activities


def test_what_is_not_a_list_of_traces_is_refused():
    steps = SimilarSteps(METHOD)
    for wrong in ("ab", 7, ["ab"], [["a", 1]], [7], np.zeros((2, 2))):
        with pytest.raises(LogError, match=r"lists? of"):
            steps.fit(wrong)
    with pytest.raises(ActalikeError, match="max"):
        SimilarSteps(norm="max").fit([["a"]])
    with pytest.raises(ActalikeError, match="compares"):
        SimilarSteps("substitution-w3").fit([["a", "b"]])


def test_without_a_fit_the_error_is_scikit_learns_where_that_is_in_use(monkeypatch):
    for use in (SimilarSteps.transform, SimilarSteps.get_feature_names_out):
        with pytest.raises(SklearnNotFittedError, match="call fit"):
            use(SimilarSteps(), [["a"]])
    monkeypatch.delitem(sys.modules, "sklearn")
    with pytest.raises(ActalikeError, match="call fit") as caught:
        SimilarSteps().transform([["a"]])
    assert isinstance(caught.value, ValueError | AttributeError)


def test_two_names_of_one_step_are_nearly_one_column():
    cases = [["x", "Check", "y"], ["x", "Chekc", "y"], ["y", "c"]] * 40
    names, steps = SimilarSteps("one-hot").fit(cases), SimilarSteps().fit(cases)
    one, other = [["Check"], ["Chekc"]], [["Check"], ["c"]]
    assert np.prod(names.transform(one), axis=0).sum() == 0
    assert np.prod(steps.transform(one), axis=0).sum() > 0.9 > 0.1 > np.prod(steps.transform(other), axis=0).sum()


def test_it_works_in_a_pipeline_and_a_search():
    cases = [["x", "a", "y"], ["x", "b", "y"], ["y", "c"], ["c", "c", "y"]] * 6
    model = make_pipeline(SimilarSteps(METHOD), LogisticRegression())
    search = GridSearchCV(model, {"similarsteps__norm": ["l1", None]}, cv=2).fit(cases, [True, True, False, False] * 6)
    assert search.score(cases, [True, True, False, False] * 6) == 1
    assert search.predict([["b"], ["c"]]).tolist() == [True, False]
    check_is_fitted(search.best_estimator_[0])


@pytest.mark.parametrize(("kind", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("default", np.ndarray)])
def test_it_gives_frames_in_pipelines_of_frames(kind, frame):
    cases = [["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 6
    plain = SimilarSteps(METHOD).fit(cases)
    result = make_pipeline(SimilarSteps(METHOD), StandardScaler(with_std=False)).set_output(transform=kind).fit_transform(cases)
    assert isinstance(result, frame)
    steps = clone(plain.set_output(transform=kind)).fit(cases)
    vectors = steps.transform(cases)
    assert isinstance(vectors, frame)
    assert np.array_equal(np.asarray(vectors), clone(plain).set_output(transform="default").fit_transform(cases))
    if kind != "default":
        assert list(vectors.columns) == list(result.columns) == plain.activities_
    table = pd.DataFrame({"cases": cases, "n": 1.0}, index=range(10, 28))
    columns = ColumnTransformer([("steps", SimilarSteps(METHOD), "cases")], remainder="passthrough").set_output(transform=kind)
    both = columns.fit_transform(table)
    assert isinstance(both, frame)
    assert both.shape == (18, len(plain.activities_) + 1)
    if kind == "pandas":
        assert both.index.tolist() == list(range(10, 28))
    with config_context(transform_output=kind):
        assert isinstance(SimilarSteps(METHOD).fit_transform(cases), frame)


def test_an_unknown_kind_of_output_is_refused():
    with pytest.raises(ActalikeError, match="arrow"):
        SimilarSteps().set_output(transform="arrow")
    assert isinstance(SimilarSteps().set_output(), SimilarSteps)


class OfNumbers(SimilarSteps):
    """Takes rows of numbers, as scikit-learn's checks do: a row becomes a trace with a label for each of its numbers."""

    def __init__(self, method=None, norm="l2"):
        super().__init__(method, norm)

    def fit(self, X, y=None):
        return super().fit(self.traces(X, reset=True))

    def transform(self, X):
        if not hasattr(self, "activities_"):
            return super().transform([])
        return super().transform(self.traces(X, reset=False))

    def traces(self, X, reset):
        rows = validate_data(self, X, reset=reset, dtype=np.float64)
        return [[f"{i} {'+' if number > 0 else '-'}" for i, number in enumerate(row)] for row in rows]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags, tags.no_validation = InputTags(), False
        return tags


@pytest.mark.filterwarnings("ignore:Estimator OfNumbers does not inherit")
def test_scikit_learns_own_checks_pass():
    """They run on numbers: with traces none of them applies, as its tags say."""
    results = estimator_checks.check_estimator(OfNumbers(), on_fail=None, on_skip=None)
    assert len(results) > 30
    others = {result["check_name"]: result["status"] for result in results if result["status"] != "passed"}
    assert others in ({}, {"check_array_api_input": "skipped"})  # needs an environment variable of scipy
    assert not SimilarSteps().__sklearn_tags__().input_tags.two_d_array


def test_a_generator_of_traces_is_read_once():
    cases = [["x", "a"], ["x", "b"], ["y"]] * 3
    vectors = SimilarSteps().fit_transform(trace for trace in cases)
    assert np.array_equal(vectors, SimilarSteps().fit_transform(cases))
    assert len(vectors) == 9
