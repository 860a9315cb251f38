"""Languages that are named: their codes, and whether the text can be in them."""

from pathlib import Path

import pytest

import preorder_eval as pe
from preorder_eval.base.errors import InputWarning
from preorder_eval.base.text.languages import check_script, language_code
from preorder_eval.evaluation.evaluate import of_its_languages
from preorder_eval.evaluation.system_warnings import warn_of_rules


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("ja", "ja"), ("jpn", "ja"), ("JPN", "ja"), ("ja-JP", "ja"), ("deu", "de"), ("ger", "de"),
        ("cmn", "zh"), ("zho", "zh"), ("zh_Hant", "zh"), ("zh-tw", "zh"), ("pt-BR", "pt"),
        ("pt-br", "pt"), ("kor", "ko"), ("fil", "tl"), ("nl-BE", "nl"), ("hsb", "hsb"),
        ("xx", None), ("en-ja", None), ("ja-en", None), ("de-en", None), ("", None),
        ("English", None), ("qqq", None),
    ],
)  # fmt: skip
def test_codes(written, code):
    if code is None:
        with pytest.raises(pe.PreorderEvalError, match="give one code of ISO 639"):
            language_code(written)
    else:
        assert language_code(written) == code


KANA, HAN, HANGUL, THAI, LATIN = (
    "これは猫です。",
    "我喜欢猫。",
    "저는 고양이",
    "ฉันชอบแมว",
    "I like cats.",
)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (KANA, {"ja"}),
        (HAN, {"ja", "zh"}),
        (HANGUL, {"ko"}),
        (THAI, {"th"}),
        (LATIN, {"de", "en"}),
        ("42 !", {"ja", "zh", "ko", "th", "de", "en"}),
    ],
)
def test_scripts(text, fits):
    for language in ("ja", "zh", "ko", "th", "de", "en"):
        if language in fits:
            check_script(language, [text])
        else:
            with pytest.raises(pe.PreorderEvalError, match=f"language {language}, but the text"):
                check_script(language, [text])


@pytest.mark.parametrize("written", ["xx", "en-ja", "de"])
def test_other_languages_are_refused_at_every_door(run, tmp_path, monkeypatch, written):
    monkeypatch.chdir(tmp_path)
    for name in ("hyp", "ref"):
        Path(name).write_text(f"{KANA}\n{HAN}\n")
    code, out, err = run("score", "--hyp", "hyp", "--ref", "ref", "--language", written)
    assert (code, out, err.count("\n")) == (2, "", 1)
    with pytest.raises(pe.PreorderEvalError):
        pe.score({"hyp": [KANA]}, [KANA], ["wer"], language=written)


@pytest.mark.parametrize(
    ("name", "languages"),
    [("en-nl", "en-nl"), ("en-ja-web", ""), ("en-old", ""), ("my", ""), ("en-ja", "en-ja")],
)
def test_links_are_of_the_languages_that_they_are_called_after(name, languages):
    reference = pe.ReferenceSet(name, [["a", "b"]], pe.Alignments.of([[(0, 1), (1, 0)]]))
    named = of_its_languages(reference)
    assert named.languages == languages
    if name == "en-nl":
        with pytest.warns(InputWarning, match="target language ja, but reference en-nl has nl"):
            warn_of_rules(pe.load_rules("en-ja"), named)
