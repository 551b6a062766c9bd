"""The benchmark page has a column of accuracies for each model."""


def test_each_model_has_a_column_with_its_accuracy_on_each_log(few_results):
    by_title = {column.title: column for column in few_results.page_columns()}
    assert list(by_title) == ["evermann", "tax"]
    figures = {
        model: {(row["method"], row["log"]): row[column.figure] for row in column.table.iter_rows(named=True)}
        for model, column in by_title.items()
    }
    assert figures["tax"] == {("tax", "loan"): 0.125}
    assert figures["evermann"] == {  # means over the seeds; what failed is left out
        ("kin-w5", "loan"): 0.5,
        ("kin-w5", "plain"): 1.0,
        ("original", "loan"): 0.25,
        ("original", "plain"): 0.5,
    }
    assert {column.kind for column in by_title.values()} == {"share"}
    assert all(model in column.about for model, column in by_title.items())
