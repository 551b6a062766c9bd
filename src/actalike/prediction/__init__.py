"""Predict the next activity of a case: train predictors and use them."""

from actalike.prediction.train_predictor import predictor
from actalike.prediction.trained_predictor import HeldOut, Prediction, Predictor

__all__ = [
    "HeldOut",
    "Prediction",
    "Predictor",
    "predictor",
]
