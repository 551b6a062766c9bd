"""Predict the next activity of a case: train predictors, use them, and adapt them to new labels."""

from actalike.prediction.adaptation import PlacedLabel, RefusedLabel, blend_weights, place_labels
from actalike.prediction.describe import absent_labels, label_readings, model_quality, unknown_labels, unpredicted_cases
from actalike.prediction.next_activity import CasePrediction, CasePredictions, HeldOut, Prediction, Predictor, predictor

__all__ = [
    "CasePrediction",
    "CasePredictions",
    "HeldOut",
    "PlacedLabel",
    "Prediction",
    "Predictor",
    "RefusedLabel",
    "absent_labels",
    "blend_weights",
    "label_readings",
    "model_quality",
    "place_labels",
    "predictor",
    "unknown_labels",
    "unpredicted_cases",
]
