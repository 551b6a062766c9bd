"""What a similarity of kin is made of."""

import pytest

from actalike import EventLog, embed, load
from actalike.demo.loan_desk import loan_desk


def test_explanations_are_exact_and_kept_in_files(tmp_path):
    log = loan_desk(40)
    embedding = embed(log, "kin-w5")
    a, b, similarity = embedding.most_similar_pairs(1)[0]
    shares = embedding.explain(a, b, None)
    assert sum(share.share for share in shares) == pytest.approx(similarity, abs=1e-9)
    assert [share.share for share in shares] == sorted((share.share for share in shares), reverse=True)
    assert len({(share.context, share.symbols) for share in shares}) == len(shares)
    embedding.save(tmp_path / "kin.actalike")
    assert load(tmp_path / "kin.actalike").explain(a, b, 20) == shares[:20]


def test_explanations_read_well():
    log = EventLog.from_traces(
        [["Check", "a", "Pay"], ["Re-check", "b", "Pay"], ["Check", "b", "Pay"], ["Re-check", "a", "Pay"]] * 10
    )
    words = {share.context for share in embed(log, "kin-w5").explain("a", "b")}
    assert {"● → Pay", "Check → ●", "Check ≈ Re-check → ●", "(start) → · → ●", "● → · → (end)"} <= words
