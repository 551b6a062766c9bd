"""What a run hands back is plain, and what shows or tells nothing can be called like what does."""

from actalike.benchmark.record import Failure, no_progress, no_warning


def test_a_failure_names_its_model_only_if_there_are_models():
    facts = {"method": "kin-w5", "log": "loan", "error": "RuntimeError: no luck"}
    assert Failure(**facts).as_dict() == facts
    assert Failure(**facts, model="tax").as_dict() == {"model": "tax", **facts}


def test_no_progress_and_no_warning_take_what_others_take(capsys):
    with no_progress("training", 100) as advance:
        advance("loan")
        advance("loan", 7)
    no_warning("one-hot is left out.")
    assert capsys.readouterr() == ("", "")
