"""Provide embeddings: a vector for each activity, similarities with explanations and intervals, files and exports."""

from actalike.embedding.embedding import Embedding, check_topn
from actalike.embedding.files import files_of, register_explanation, stored_csr, writer
from actalike.embedding.resampling import ENOUGH_CASES, FEWEST_RESAMPLES, RESAMPLES, Confidence, Resampler
from actalike.embedding.shares import CodedShare, Explanation, Share, share_of

__all__ = [
    "ENOUGH_CASES",
    "FEWEST_RESAMPLES",
    "RESAMPLES",
    "CodedShare",
    "Confidence",
    "Embedding",
    "Explanation",
    "Resampler",
    "Share",
    "check_topn",
    "files_of",
    "register_explanation",
    "share_of",
    "stored_csr",
    "writer",
]
