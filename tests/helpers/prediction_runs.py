"""A small run of the next-activity benchmark."""

from tests.helpers.benchmark_runs import tree

METHODS = ("ac-sequence-pmi-w3", "ac-sequence-pmi-w5", "kin-w5")
ALL = (*METHODS, "one-hot", "original")  # those two always take part
MODELS = ("evermann", "evermann-published")
SMALL = ("--methods", *METHODS, "--models", *MODELS, "--seeds", "2", "--epochs", "3", "--device", "cpu", "--jobs", "1")
FEW = ("--methods", "one-hot", "--seeds", "1", "--epochs", "1", "--device", "cpu", "--jobs", "1")


def result_files(out):
    return {name: content for name, content in tree(out).items() if "/results/" in name and not name.endswith(".part")}
