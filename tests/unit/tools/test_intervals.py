from math import inf, isnan
from random import Random

import pytest
from scipy import stats

from terziglio.intervals import mean_interval, share_interval


@pytest.mark.parametrize("number", [2, 3, 4, 5, 10, 11, 60, 181, 4450])
def test_means_agree_with_another_calculation(number: int) -> None:
    rng = Random(number)
    values = [rng.gauss(0.3, 2.0) for _ in range(number)]
    got = mean_interval(values)
    low, high = stats.t.interval(
        0.95, number - 1, loc=sum(values) / number, scale=stats.sem(values)
    )
    assert got.value == pytest.approx(sum(values) / number, rel=1e-9)
    assert (got.low, got.high) == pytest.approx((low, high), rel=1e-9)
    assert got.half == pytest.approx((high - low) / 2)


@pytest.mark.parametrize(("part", "whole"), [(0, 5), (5, 5), (49, 100), (1, 3000)])
def test_shares_agree_with_another_calculation(part: int, whole: int) -> None:
    got = share_interval(part, whole)
    other = stats.binomtest(part, whole).proportion_ci(method="wilson")
    assert got.value == part / whole
    assert (got.low, got.high) == pytest.approx((other.low, other.high), abs=1e-9)


def test_a_share_lies_in_its_interval() -> None:
    for whole in range(1, 200):
        for part in {0, 1, whole // 2, whole}:
            got = share_interval(part, whole)
            assert 0 <= got.low <= got.value <= got.high <= 1


def test_too_few_values_leave_the_interval_open() -> None:
    assert (mean_interval([2.0]).low, mean_interval([2.0]).high) == (-inf, inf)
    assert isnan(mean_interval([]).value)
    assert isnan(share_interval(0, 0).value)
    assert share_interval(0, 0).half == 0.5


def test_it_reads_as_plus_or_minus() -> None:
    assert str(mean_interval([1.0, 1.0])) == "+1.000 ± 0.000"
