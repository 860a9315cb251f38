"""Codes of languages (ISO 639), and whether a text has the script of a language."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from preorder_eval.data.tokenization import LOOKED_AT, SCRIPTS, language_of, letters_by_language
from preorder_eval.errors import PreorderEvalError, argument

# Each language by its code of two letters, followed by those of three (ISO 639-2 and 639-3).
_CODES = """
aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara:arb as:asm av:ava ay:aym az:aze:azj ba:bak
be:bel bg:bul bi:bis bm:bam bn:ben bo:bod:tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre
cs:ces:cze cu:chu cv:chv cy:cym:wel da:dan de:deu:ger dv:div dz:dzo ee:ewe el:ell:gre en:eng eo:epo
es:spa et:est:ekk eu:eus:baq fa:fas:per:pes ff:ful fi:fin fj:fij fo:fao fr:fra:fre fy:fry ga:gle
gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye:arm
hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl:ice it:ita iu:iku ja:jpn jv:jav
ka:kat:geo kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur:kmr kv:kom
kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav:lvs mg:mlg:plt mh:mah
mi:mri:mao mk:mkd:mac ml:mal mn:mon:khk mr:mar ms:msa:may:zsm mt:mlt my:mya:bur na:nau nb:nob nd:nde
ne:nep:npi ng:ndo nl:nld:dut nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori:ory
os:oss pa:pan pi:pli pl:pol ps:pus:pbt pt:por qu:que rm:roh rn:run ro:ron:rum ru:rus rw:kin sa:san
sc:srd sd:snd se:sme sg:sag si:sin sk:slk:slo sl:slv sm:smo sn:sna so:som sq:sqi:alb:als sr:srp
ss:ssw st:sot su:sun sv:swe sw:swa:swh ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl:fil tn:tsn
to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb:uzn ve:ven vi:vie vo:vol
wa:wln wo:wol xh:xho yi:yid:ydd yo:yor za:zha zh:zho:chi:cmn:yue:wuu zu:zul
"""
# Others that corpora of translations have; tokenizers know nothing special of them.
_OTHERS = """
ace arz ast awa ban bem bho bug ceb chr chv ckb crh dsb fon fur fuv gom grc gsw haw hmn hne hsb ilo
kab kac kam kbp kea krc kri lij lmo ltg lua luo lus mag mai min mni mos mwl nds nso pag pap prs rup
sah sat scn shn syc szl taq tpi tum umb vec war wol yua zgh
"""
_CODE_OF = {code: entry[:2] for entry in _CODES.split() for code in entry.split(":")}
_CODE_OF |= {code: code for code in _OTHERS.split()}


# Regions that have the code of a language, and are no second language where they stand.
_REGIONS = """
ar-ae ar-so de-be de-lu en-ca en-za es-ar es-co es-cr es-sv fr-be fr-ca fr-lu it-sm ko-kr lo-la nl-
be pt-br sv-se ur-in zh-tw
"""


def language_code(language: str) -> str:
    """Return the shortest code of a language, without its region or script.

    Raises PreorderEvalError for what is no known code, and for a pair of languages.

    >>> language_code("jpn"), language_code("zh_Hant"), language_code("pt-BR"), language_code("hsb")
    ('ja', 'zh', 'pt', 'hsb')
    """
    first, *more = language.replace("_", "-").split("-")
    code = _CODE_OF.get(first.lower(), "")
    second = [part for part in more if part in _CODE_OF and part != code]
    if code and (not second or f"{code}-{second[0]}" in _REGIONS.split()):
        return code
    problem = "is a pair of languages" if code else "is no known code of a language"
    raise PreorderEvalError(
        f"language {language!r} {problem}; give one code of ISO 639, such as ja or jpn, or name a "
        f"tokenizer: {argument('tokenize=13a')}"
    )


def check_script(language: str, texts: Iterable[str]) -> None:
    """Raise PreorderEvalError for a text in another script than that of its language.

    Only scripts count by which tokenizers differ.

    >>> check_script("ja", ["猫が好き"])
    >>> check_script("de", ["猫が好き"])
    Traceback (most recent call last):
        ...
    preorder_eval.errors.PreorderEvalError: language de, but the text is written as ja is; leave ...
    """
    some = list(itertools.islice(texts, LOOKED_AT))
    found, letters = language_of(some), letters_by_language(some)
    own = {"ja": {"ja", "zh"}}.get(language, {language})  # Japanese has Han characters, too
    is_other = found and found not in own
    lacks_it = language in SCRIPTS and letters and not own & letters.keys()
    if is_other or lacks_it:
        written = f"is written as {found} is" if is_other else "has no letter of its script"
        how = argument("language=…")
        raise PreorderEvalError(
            f"language {language}, but the text {written}; leave {how} out, or check the files"
        )
