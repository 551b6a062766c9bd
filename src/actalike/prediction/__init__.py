"""Predict the next activity of a case: train predictors, use them, and adapt them to new labels."""

from actalike.prediction.label_placement import blend_weights, place_labels
from actalike.prediction.placed_labels import PlacedLabel, RefusedLabel
from actalike.prediction.train_predictor import predictor
from actalike.prediction.trained_predictor import HeldOut, Prediction, Predictor

__all__ = [
    "HeldOut",
    "PlacedLabel",
    "Prediction",
    "Predictor",
    "RefusedLabel",
    "blend_weights",
    "place_labels",
    "predictor",
]
