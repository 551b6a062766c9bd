"""Slips of the keyboard: labels with one, and the number of slips by its plain definition."""

from hypothesis import strategies as st

KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
PLACES = {letter: (row, column) for row, letters in enumerate(KEYBOARD) for column, letter in enumerate(letters)}
GERMAN = {"z": PLACES["y"], "y": PLACES["z"]}

words = st.text("abcdehilnoprstuvyz", min_size=4, max_size=9)


def beside(letter, other):
    """Whether two letters are beside each other on an American or a German keyboard."""
    for places in (PLACES, {**PLACES, **GERMAN}):
        if (
            letter in places
            and other in places
            and all(abs(a - b) <= 1 for a, b in zip(places[letter], places[other], strict=True))
        ):
            return True
    return False


def naive_slips(first, second):
    """The number of slips between two texts: the recurrence over all pairs of beginnings."""
    cost = {}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            ways = [0] if i == j == 0 else []
            if i:
                ways.append(cost[i - 1, j] + 1)
            if j:
                ways.append(cost[i, j - 1] + 1)
            if i and j:
                a, b = first[i - 1], second[j - 1]
                ways.append(cost[i - 1, j - 1] + (0 if a == b else 1 if beside(a, b) else 2))
                if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                    ways.append(cost[i - 2, j - 2] + 1)
            cost[i, j] = min(ways)
    return cost[len(first), len(second)]


@st.composite
def slipped(draw, label):
    """A label with one of five slips: a letter missing or too many, two swapped, the first in the other case, a wrong key."""
    letters = [place for place, letter in enumerate(label) if letter.isalpha()]
    place = draw(st.sampled_from(letters))
    before, letter, after = label[:place], label[place], label[place + 1 :]
    match draw(st.sampled_from(["drop", "insert", "swap", "case", "key"])):
        case "drop":
            return before + after
        case "insert":
            return before + draw(st.sampled_from(sorted(PLACES))) + letter + after
        case "swap":
            return before + after[:1] + letter + after[1:]
        case "case":
            return label[:1].swapcase() + label[1:]
    return (
        before
        + draw(st.sampled_from([key for key in sorted(PLACES) if key != letter.lower() and beside(letter.lower(), key)]))
        + after
    )
