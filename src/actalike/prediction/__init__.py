"""Prediction of the next activity: the predictor and its training."""

from actalike.prediction.train_predictor import predictor
from actalike.prediction.trained_predictor import Prediction, Predictor

__all__ = [
    "Prediction",
    "Predictor",
    "predictor",
]
