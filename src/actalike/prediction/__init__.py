"""Predict the next activity of a case: train predictors and use them."""

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
    "prediction_facts",
    "predictor",
    "write_predictions",
]
