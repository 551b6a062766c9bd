from actalike.benchmark.labels.groupers.contrast import Contrast
from actalike.demo.loan_desk import loan_desk
from actalike.methods import embed


def test_groups_are_those_of_kin_by_contrast():
    log = loan_desk(200)
    fitted = Contrast().fit(log)
    assert (1 - fitted.scores_ == embed(log, "kin-w5").distances()).all()
    assert fitted.groups_
