"""How logs are told apart in one picture."""

from actalike.datasets.catalogue import paper_logs
from actalike.plot.log_styles import family, styles


def test_logs_are_told_apart_and_families_share_a_colour():
    names = [entry.name for entry in paper_logs()]
    found = styles(names)
    assert len({(style.colour, style.marker) for style in found.values()}) == len(names)
    for one in names:
        for other in names:
            if family(one) == family(other):
                assert found[one].colour == found[other].colour
    assert {family(name) for name in names if name.startswith("BPIC15")} == {"BPIC15"}
    assert family("BPIC2000x") == "BPIC2000x"
