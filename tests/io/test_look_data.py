"""What a look has seen can be said in JSON."""

import json

from actalike.io import look


def test_a_look_is_json_without_what_is_too_much_to_print(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity,when\n1,a,1.2.2024 8:00\n1,b,13.2.2024 9:00\n")
    seen = look(tmp_path / "log.csv")
    facts = json.loads(json.dumps(seen.as_dict()))
    assert "sampled_cases" not in facts
    assert facts["object_types"] == []
    assert facts["reading"]["cases"] == 1
    assert seen.options() == {proposal["option"]: proposal["value"] for proposal in facts["proposals"] if proposal["needed"]}
