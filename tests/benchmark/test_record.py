"""What a run hands back is plain, and what tells nothing can be called like what does."""

from actalike.benchmark.record import Failure, no_warning


def test_a_failure_names_its_model_only_if_there_are_models():
    facts = {"method": "kin-w5", "log": "loan", "error": "RuntimeError: no luck"}
    assert Failure(**facts).as_dict() == facts
    assert Failure(**facts, model="tax").as_dict() == {"model": "tax", **facts}


def test_no_warning_takes_what_others_take(capsys):
    no_warning("one-hot is left out.")
    assert capsys.readouterr() == ("", "")
