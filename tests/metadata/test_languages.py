"""Detected languages: the model of py3langid, applied by the compiled part."""

from __future__ import annotations

import pytest

from dehusk.metadata.languages import _scores, detect_language

py3langid = pytest.importorskip("py3langid")

TEXTS = (
    "Steep the leaves for three minutes, then pour the tea into a warm cup and let it rest. " * 9,
    "Die Blätter ziehen drei Minuten; dann gießt man den Tee in eine warme Tasse. " * 2,
    "ЧАЙ ЗАВАРИВАЮТ ТРИ МИНУТЫ, ПОТОМ РАЗЛИВАЮТ ПО ЧАШКАМ И ЖДУТ, ПОКА ОН ОСТЫНЕТ. " * 2,
    "茶叶泡三分钟，然后把茶倒进温热的杯子里，等它凉一凉再喝。" * 9,
    "1 2 3 " * 40,
)


@pytest.mark.parametrize("text", TEXTS)
def test_scores_are_those_of_py3langid(text: str) -> None:
    ours: dict[str, float] = {}
    for language, score in zip(*_scores(text), strict=True):
        ours[language] = max(score, ours.get(language, score))
    assert ours == pytest.approx(dict(py3langid.rank(text)), rel=1e-4)
    assert detect_language(text)[0] == py3langid.classify(text)[0]
