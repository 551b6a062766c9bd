"""Turn window counts into weighted matrices: contexts, counts, weightings, decompositions."""

from actalike.matrices.cholesky import are_cosines, factor
from actalike.matrices.contexts import ANY, SHARE_KINDS, Contexts, ShareKind, context_text
from actalike.matrices.count_matrices import ContextName, CountMatrix, activity_activity, activity_context, activity_position
from actalike.matrices.packed_symmetric import ROWS_AT_A_TIME, PackedSymmetric
from actalike.matrices.svd import reduce_rows
from actalike.matrices.weighting import WEIGHTINGS, hellinger, raw, shift_and_smooth

__all__ = [
    "ANY",
    "ROWS_AT_A_TIME",
    "SHARE_KINDS",
    "WEIGHTINGS",
    "ContextName",
    "Contexts",
    "CountMatrix",
    "PackedSymmetric",
    "ShareKind",
    "activity_activity",
    "activity_context",
    "activity_position",
    "are_cosines",
    "context_text",
    "factor",
    "hellinger",
    "raw",
    "reduce_rows",
    "shift_and_smooth",
]
