"""Predict the next activity of a case: train predictors, use them, and adapt them to new labels."""

from actalike.prediction.label_placement import blend_weights, place_labels
from actalike.prediction.placed_labels import PlacedLabel, RefusedLabel
from actalike.prediction.prediction_table import prediction_facts, write_predictions
from actalike.prediction.train_predictor import predictor
from actalike.prediction.trained_predictor import CasePrediction, HeldOut, Prediction, Predictor

__all__ = [
    "CasePrediction",
    "HeldOut",
    "PlacedLabel",
    "Prediction",
    "Predictor",
    "RefusedLabel",
    "blend_weights",
    "place_labels",
    "prediction_facts",
    "predictor",
    "write_predictions",
]
