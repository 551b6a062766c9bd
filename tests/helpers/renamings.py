"""New names for labels."""

from hypothesis import strategies as st

from tests.helpers.strategies import labels, logs

new_names = st.sampled_from(["a", "new", "<script>alert(1)</script>", 'it\'s "&" more', "x,y;z\t", " ", "", "📄"])


@st.composite
def mappings(draw, of, names=new_names):
    """Some labels get a new name, which none that is renamed has."""
    chosen = draw(st.lists(st.sampled_from(sorted(of)), unique=True, max_size=4))
    return {label: draw(names.filter(lambda name: name not in chosen)) for label in chosen}


def meant(mapping):
    """Return the mapping without blank names: their labels keep their own."""
    return {label: name for label, name in mapping.items() if name.strip()}


@st.composite
def logs_with_mappings(draw, label=labels):
    log = draw(logs(label))
    return log, draw(mappings(log.activities))
