"""Published figures: mean F over pairs of labels, five runs each, on Hospital_Billing with labels split as in SwiftMend's logs.

Source: the repository Savandi/SwiftMend, comparison with its baseline (Sadeghianasl et al. 2019, control flow, threshold 0.7).
Each figure is the mean of the five F; the repository itself gives F of mean precision and mean recall, higher by up to 0.04. Its
runs split other labels than ours, so only means of many draws compare.
"""

LOG = "Hospital_Billing"
SETTINGS = ("20-0.1", "20-10", "20-30", "40-30", "40-50", "60-50", "80-50", "100-50")  # % of labels, % of their events
PUBLISHED_F = {
    "SwiftMend, published": (0.0, 0.3733, 0.7467, 0.8014, 0.9209, 0.8772, 0.8393, 0.8381),
    "SynonymousLabelRepair, published": (0.0, 0.16, 0.5667, 0.5667, 0.7695, 0.7029, 0.7632, 0.7530),
}


def published_f(setting: str) -> dict[str, float]:
    """Return the published figures of a setting.

    >>> published_f("40-30")["SwiftMend, published"]
    0.8014
    """
    return {name: values[SETTINGS.index(setting)] for name, values in PUBLISHED_F.items()}
