"""The label and tag inventories that trees and rule sets are written in.

Sources: universaldependencies.org/u/dep and /u/pos (version 2, with the subtypes documented
there); surfacesyntacticud.org; the ClearNLP guidelines, with the Stanford labels they replaced;
the Penn Treebank tags as UD English uses them.
"""

from __future__ import annotations

_UPOS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"

_XPOS = """
$ '' `` , -LRB- -RRB- . : ADD AFX CC CD DT EX FW GW HYPH IN JJ JJR JJS LS MD NFP NN NNP NNPS NNS
PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB XX
"""

_UD = """
acl acl:adv acl:attr acl:cleft acl:inf acl:relat acl:relcl advcl advcl:cau advcl:cleft advcl:cmp
advcl:cond advcl:pred advcl:relcl advcl:tcl advmod advmod:df advmod:emph advmod:lmod advmod:lfrom
advmod:lto advmod:mode advmod:neg advmod:que advmod:tfrom advmod:tlocy advmod:tmod advmod:to
advmod:tto amod amod:att amod:flat appos appos:trans aux aux:aff aux:aspect aux:caus aux:clitic
aux:cnd aux:ex aux:exhort aux:imp aux:nec aux:neg aux:opt aux:part aux:pass aux:pot aux:q
aux:tense case case:acc case:adv case:aff case:det case:gen case:loc case:pred case:voc cc cc:nc
cc:preconj ccomp ccomp:cleft ccomp:obj ccomp:obl ccomp:pmod ccomp:pred clf clf:det compound
compound:a compound:adj compound:affix compound:amod compound:apr compound:atov compound:dir
compound:ext compound:lvc compound:nn compound:nv compound:plur compound:preverb compound:prt
compound:quant compound:redup compound:smixut compound:svc compound:vmod compound:vo compound:vv
conj conj:appos conj:dicto conj:expl conj:extend conj:redup conj:svc cop cop:expl cop:own csubj
csubj:asubj csubj:cleft csubj:cop csubj:outer csubj:pass dep dep:aff dep:agr dep:aux dep:comp
dep:conj dep:cop dep:emo dep:infl dep:iobj dep:mod dep:obj dep:pos dep:repeat dep:ss det det:adj
det:clf det:noun det:numgov det:nummod det:pmod det:poss det:predet det:pron det:rel discourse
discourse:emo discourse:filler discourse:intj discourse:q discourse:sp dislocated dislocated:cleft
dislocated:csubj dislocated:nsubj dislocated:obj dislocated:subj dislocated:vo expl expl:comp
expl:impers expl:pass expl:poss expl:pv expl:subj fixed flat flat:abs flat:dist flat:foreign
flat:frac flat:gov flat:name flat:num flat:number flat:range flat:redup flat:repeat flat:sibl
flat:title flat:vv goeswith iobj iobj:agent iobj:appl iobj:caus iobj:patient list mark mark:adv
mark:advb mark:aff mark:comp mark:pcomp mark:prt mark:q mark:rel nmod nmod:abl nmod:agent
nmod:appos nmod:arg nmod:att nmod:attlvc nmod:attr nmod:bahuv nmod:cau nmod:comp nmod:desc
nmod:det nmod:flat nmod:gen nmod:gmod nmod:gobj nmod:gsubj nmod:lfrom nmod:lmod nmod:npmod
nmod:obj nmod:obl nmod:part nmod:pass nmod:periph nmod:pmod nmod:poss nmod:pred nmod:prep
nmod:relat nmod:subj nmod:tmod nmod:unmarked nsubj nsubj:advmod nsubj:aff nsubj:bfoc nsubj:caus
nsubj:cleft nsubj:cop nsubj:expl nsubj:ifoc nsubj:lfoc nsubj:lvc nsubj:nc nsubj:nn nsubj:obj
nsubj:outer nsubj:pass nsubj:periph nsubj:quasi nummod nummod:det nummod:entity nummod:flat
nummod:gov nummod:mod obj obj:advmod obj:advneg obj:agent obj:appl obj:cau obj:caus obj:lvc
obj:obl obj:periph obl obl:ad obl:adj obl:adv obl:advmod obl:agent obl:agr obl:appl obl:arg
obl:cau obl:cmp obl:cmpr obl:comp obl:con obl:freq obl:goal obl:iobj obl:lfrom obl:lmod obl:loc
obl:lto obl:lvc obl:mcl obl:mod obl:mov obl:npmod obl:orphan obl:own obl:patient obl:pmod obl:poss
obl:pred obl:prep obl:sentcon obl:smod obl:sour obl:soj obl:subj obl:tmod obl:unmarked orphan
orphan:missing parataxis parataxis:appos parataxis:conj parataxis:coord parataxis:deletion
parataxis:discourse parataxis:dislocated parataxis:hashtag parataxis:insert parataxis:mod
parataxis:newsent parataxis:nsubj parataxis:obj parataxis:parenth parataxis:rel parataxis:rep
parataxis:restart parataxis:rt parataxis:sentence parataxis:trans parataxis:url punct reparandum
root vocative vocative:cl vocative:mention xcomp xcomp:adj xcomp:cleft xcomp:ds xcomp:obj
xcomp:pred xcomp:subj xcomp:vcomp
"""

_SUD = """
appos cc clf comp comp:aux comp:cleft comp:obj comp:obl comp:pred comp@x compound conj conj:appos
conj:coord conj:dicto det dep discourse dislocated expl fixed flat goeswith list mod mod:appos
mod:poss mod:relcl orphan parataxis parataxis:conj parataxis:discourse parataxis:insert
parataxis:obj parataxis:parenth punct reparandum root subj subj:cleft subj:pass udep unk vocative
"""

_CLEARNLP = """
acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp complm compl compound conj
cop csubj csubjpass dative dep det dobj expl hmod hyph infmod intj iobj mark meta mwe neg nmod nn
npadvmod npmod nsubj nsubjpass num number nummod obj obl oprd parataxis partmod pcomp pobj poss
possessive preconj predet prep prt punct purpcl quantmod rcmod ref rel relcl root ROOT tmod xcomp
xsubj
"""

UPOS = frozenset(_UPOS.split())
XPOS = frozenset(_XPOS.split())

# Every tree of a scheme is written in these labels.
LABELS: dict[str, frozenset[str]] = {
    "ud": frozenset(_UD.split()),
    "sud": frozenset(_SUD.split()),
    "clearnlp": frozenset(_CLEARNLP.split()) - {"case", "obj", "obl"},
}


def base_label(label: str) -> str:
    """A label without its subtype.

    >>> base_label("nmod:tmod")
    'nmod'
    """
    return label.partition(":")[0].partition("@")[0]


def understood(label: str, scheme: str) -> bool:
    """Whether a tree of the scheme can hold the label, subtypes of other languages included."""
    return label in LABELS[scheme] or base_label(label) in LABELS[scheme]
