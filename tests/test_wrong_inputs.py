"""The table of wrong inputs: what each is told, in one line, before anything is written."""

import gzip
import shlex
import shutil
from pathlib import Path

import pytest

TREES = """\
1\tShe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\treads\t_\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tbooks\t_\tNOUN\tNNS\t_\t2\tobj\t_\t_

1\tGo\t_\tVERB\tVB\t_\t0\troot\t_\t_
2\thome\t_\tADV\tRB\t_\t1\tadvmod\t_\t_

"""
FIRST = TREES.partition("\n\n")[0]
LIST = f"# sent_id = 1\n# parse = 1\n{FIRST}\n\n# sent_id = 1\n# parse = 2\n{FIRST}\n\n"
RULES = 'name = "r"\nscheme = "ud"\n'
SLOTS = RULES + '[[rule]]\nhead = "VERB"\norder = ["HEAD", "OTHER", "punct"]\n'
JUDGED = "system\tline\tscore\n"
FILES = {
    "s.en": "She reads books\nGo home\n",
    "s.ja": "kanojo wa hon o yomu\nie ni kaere\n",
    "s.align": "0-0 1-4 2-2\n0-2 1-0\n",
    "s.conllu": TREES,
    "s.order": "0 2 1\n1 0\n",
    "hyp": "a b\nc d\n",
    "hyp2": "a c\nd c\n",
    "ref": "a b\nc e\n",
    "human.tsv": JUDGED + "hyp\t0\t1\nhyp\t1\t3\nhyp2\t0\t2\nhyp2\t1\t1\n",
    "empty": "",
    "one": "a b\n",
    "blank.en": "She reads books\n\nGo home\n",
    "latin.en": b"caf\xe9\nGo home\n",
    "tab.en": "She\treads\nGo home\n",
    "return.en": "She reads\rbooks\nGo home\n",
    "packed": gzip.compress(b"Go home\n" * 1000),
    "cut.gz": gzip.compress(b"Go home\n" * 1000)[:30],
    "short.align": "0-0\n",
    "blank": "\n\n",
    "range.align": "0-0 9-1\n0-0\n",
    "mixed.align": "0-0 1-1\n1,2\n",
    "twice.order": "0 1 1\n1 0\n",
    "short.order": "0 1\n1 0\n",
    "words.order": "a b c\n1 0\n",
    "cycle.conllu": TREES.replace("\t2\tnsubj", "\t3\tnsubj").replace("\t2\tobj", "\t1\tobj"),
    "columns.conllu": TREES.replace("\t_\t_\n", "\n", 1),
    "other.conllu": TREES.replace("She", "He"),
    "first.conllu": FIRST + "\n\n",
    "ranks.conllu": LIST.replace("parse = 2", "parse = 7"),
    "table.tsv": "hyp\t1\t2\n",
    "scores.conllu": LIST.replace("# parse = 1\n", "# parse = 1\n# score = x\n"),
    "broken.toml": "name = \n",
    "label.toml": SLOTS.replace("OTHER", 'nsubjj", "OTHER'),
    "heads.toml": SLOTS.replace('"HEAD"', '"HEAD", "HEAD"'),
    "twice.toml": SLOTS.replace('"HEAD"', '"obj", "obj", "HEAD"'),
    "example.toml": RULES + '[[example]]\ntree = ["a X 0 root"]\norder = "b"\n',
    "clear.toml": SLOTS.replace('"ud"', '"clearnlp"').replace("HEAD", 'dobj", "HEAD'),
    "letters.tsv": JUDGED + "hyp\t0\tx\n",
    "range.tsv": JUDGED + "hyp\t9\t1\nhyp2\t0\t1\n",
    "other.tsv": JUDGED + "somebody\t0\t1\n",
    "same.tsv": JUDGED + "hyp\t0\t1\nhyp2\t0\t1\nhyp\t1\t1\nhyp2\t1\t1\n",
    "fields.tsv": JUDGED + "hyp\t0\n",
    "ranks.csv": "a,b,c\n1,2,3\n",
    "base.toml": RULES + "extends = 3\n",
    "head.toml": SLOTS.replace('head = "VERB"\n', ""),
    "pair.toml": RULES + '[[rule]]\nhead = "VERB"\npairs = [["obj"]]\n',
    "feats.toml": SLOTS.replace('"OTHER"', '{label = "obj", feats = "Case=Acc"}, "OTHER"'),
    "dots.toml": RULES + "x" + 11 * ".x" + " = 1\n",
}
RUNS = Path(__file__).parent / "data" / "runs"
OWN = "--source s.en --alignment s.align"
LEARN = f"self-train --treebank s.conllu --dev s.conllu {OWN} --out w"
OUTPUTS = "--hyp hyp --hyp hyp2 --ref ref --metric wer"
TUNED = OUTPUTS.replace("--metric wer", "--human human.tsv")
TABLE = """\
evaluate --source empty --alignment s.align
    empty: is empty; at least one line
evaluate --source blank.en --alignment s.align
    blank.en:2: a blank line; every line must have a sentence
evaluate --source latin.en --alignment s.align
    latin.en:1: not UTF-8: byte 0xe9; convert it with iconv -f ENCODING -t UTF-8
evaluate --source tab.en --alignment s.align
    tab.en:1: a tab in tokenised text; separate tokens with spaces
evaluate --source return.en --alignment s.align
    return.en:1: a carriage return inside a line; replace it with tr
evaluate --source cut.gz --alignment s.align
    cut.gz: is an incomplete .gz file; write it again, or remove .gz from its name
evaluate --source packed --alignment s.align
    packed:1: compressed, but its name does not show this; decompress it, or let its name end in .gz
evaluate --source s.en --alignment nothing
    nothing: cannot be read: Is a directory; name a file
evaluate --source s.en --alignment short.align
    short.align:2: 1 line of links, but the source has 2 sentences; both must have the same
evaluate --source s.en --alignment range.align
    range.align:1: link 9-1: source position 9, but the source sentence has 3 tokens; all links
evaluate --source s.en --alignment mixed.align
    mixed.align:2: link '1,2' is not two positions such as 3-4
evaluate OWN --rules none --base 1
    s.align:1: link 0-0: source position 0; all links would fit with base 0
evaluate OWN --rules none --target hyp
    s.align:1: link 1-4: target position 4, but the target sentence has 2 tokens; positions count
evaluate OWN --rules none --alignment-format talbot
    s.align:1: field 1 '0-0 1-4 2-2' is not positions such as 7 or 7_8
evaluate OWN --rules none --alignment-format xx
    unknown alignment format 'xx'; known:
evaluate --trees s.conllu --alignment blank
    blank: no sentence has a link
evaluate OWN --rules none --trees cycle.conllu
    cycle.conllu:1: sentence number 1: a cycle of heads: 1 → 3 → 1
evaluate OWN --rules none --orders twice.order --out run
    twice.order:1: not a permutation of 0 … 2: 2 is missing, 1 occurs twice; list every 0-based
evaluate OWN --rules none --orders short.order
    short.order:1: 2 positions for 3 source tokens; list every 0-based position once
evaluate OWN --rules none --orders words.order
    words.order:1: 'a' is not a position
evaluate OWN --rules none --orders one
    one:2: 1 order, but the source has 2 sentences; both must have the same sentences
evaluate OWN --rules none --trees columns.conllu
    columns.conllu:1: sentence number 1: 8 fields instead of 10; CoNLL-U has ten columns, separated
evaluate OWN --rules none --trees other.conllu
    other.conllu: sentence 1, token 1: trees have 'He', source has 'She'; trees and source must
evaluate OWN --rules none --trees first.conllu
    first.conllu: 1 tree for 2 sentences; sentence 2, token 1: trees have nothing, source has
evaluate OWN --rules none --trees =s.conllu
    '=s.conllu' is not LABEL=PATH, such as new=out.conllu
evaluate OWN --rules broken.toml
    broken.toml:1: not TOML: Invalid value (at line 1, column 8)
evaluate OWN --rules label.toml
    label.toml:5: unknown label in rule 1 (VERB): 'nsubjj' (did you mean 'nsubj'?)
evaluate OWN --rules twice.toml
    twice.toml:5: rule 1 (VERB): obj is in two slots
evaluate OWN --rules clear.toml --trees s.conllu
    rule set 'r' is written for trees of scheme 'clearnlp', but the trees use labels such as
evaluate OWN --rules en-jaa
    unknown rule set 'en-jaa' (did you mean 'en-ja'?); known:
evaluate OWN --rules none --parser en-webb
    unknown parser 'en-webb' (did you mean 'en-web'?); known:
evaluate OWN --rules none --parser en_core_web_sm
    spaCy's pipeline en_core_web_sm is not installed; install it with python -m spacy download
evaluate OWN --rules none --parser 'en-web(truecase=maybe)'
    en-web(truecase=maybe): truecase=maybe is not one of auto, always, never
evaluate OWN --rules none --metric fuzy
    unknown metric 'fuzy' (did you mean 'fuzzy'?); known:
evaluate OWN --rules none --metric 'fuzzy(x=1)'
    unknown parameter of fuzzy 'x'; known:
evaluate OWN --rules none --metric 'fuzzy(match=word'
    metric 'fuzzy(match=word' does not have the form name or name(key=value,…)
evaluate OWN --rules none --out orders
    orders: already exists; give a new folder for the run
evaluate OWN --rules none --seed 1 --seed 2
    --seed can be given only once
evaluate OWN --rules none --trees s.conllu --metric fuzzy --metric FRS
    metric fuzzy(match=word) can be given only once
evaluate OWN --rules none --trees s.conllu --no-cache
    --no-cache has no effect, because nothing is parsed
evaluate --reference en-jaa
    unknown reference set 'en-jaa' (did you mean 'en-ja'?)
evaluate --reference en-ja-web/tset
    unknown split of en-ja-web 'tset' (did you mean 'test'?); known:
evaluate --reference en-ko --reference en-ko
    two references are called en-ko
evaluate --gold missing.conllu --parser en-web
    missing.conllu: cannot be read: No such file or directory
evaluate --compat lader
    --compat takes one reference
tune wer --ref ref --human human.tsv
    Missing option '--hyp' FILE|GLOB|DIR; see preorder-eval tune --help
evaluate --source s.en
    --source needs --alignment
evaluate --alignment s.align
    --alignment needs --source or --trees
evaluate OWN --orders s.order --significance
    significance needs at least two systems
evaluate OWN --rules none --orders s.order --against s --gate fuzzy:-0.1
    --gate has no system to compare with s: it checks neither the source order nor
evaluate OWN --rules none --orders s.order --orders s.order
    2 systems are called s; rename one
evaluate --reference x=en-ja
    bundled reference en-ja cannot have another name; labels are for folders, not x=en-ja
evaluate --trees x.spacy --alignment s.align
    --trees in .spacy need --source
score --hyp hyp --scores 'Mine=table.tsv'
    which scores of Mine are better? Write Mine(better=higher) or Mine(better=lower) instead of
parse --parser 'en-web(consensus=8)' --source s.en
    en-web(consensus=8): trees are needed before rules can choose them
reorder --rules en-ja --source s.en --parser 'en-web(consensus=0)'
    en-web(consensus=0): consensus=0 is not from 1 to 10000
evaluate --sed 1
    No such option
evaluate mine.toml
    Got unexpected extra argument (mine.toml); write the option before each
evaluate --compat x
    Invalid value for '--compat': 'x' is not one of 'lader', 'tdbtg'
compare missing orders
    missing: no such folder; name one written by preorder-eval evaluate or score --out
parse --source none.en --out new/out.x
    new/out.x: cannot be written: there is no folder new; make it first
report none --out new/out.x
    new/out.x: cannot be written: there is no folder new; make it first
select --nbest none.conllu --source s.en --alignment s.align --out new/out.x
    new/out.x: cannot be written: there is no folder new; make it first
rules learn --treebank none.conllu --out new/out.toml
    new/out.toml: cannot be written: there is no folder new; make it first
align none.en none.ja --out new/out.x
    new/out.x: cannot be written: there is no folder new; make it first
align none.en none.ja --out nothing
    nothing: cannot be written: it is a folder
report none --out nothing
    nothing: cannot be written: it is a folder
compare nothing orders
    nothing: is not a run folder: it has no run.json; name one written by preorder-eval evaluate
analyse nothing
    nothing: is not a run folder: it has no run.json; name one written by preorder-eval evaluate
report nothing
    nothing: is not a run folder: it has no run.json; name one written by preorder-eval evaluate
compare s.en s.en
    s.en: is a file, not a run folder; outputs are compared by preorder-eval score --hyp A --hyp B
evaluate --reference en-ja --trees s.en
    s.en: is neither a spaCy pipeline nor trees; give files of trees as *.conllu, *.conll or *.spacy
compare orders outputs
    name two systems (--system A --system B): orders has parsed/verb-final, two; outputs has a, b
compare orders --gate fuzzy:x
    gate 'fuzzy:x' is not METRIC:NUMBER with a number of 0 or below, such as fuzzy:-0.005
score --hyp one --ref ref
    ref:2: 2 sentences, but one has 1 sentence; both must have the same sentences
score --hyp nothing --ref ref
    nothing: no file in this folder; name the outputs
score --hyp hyp --ref ref --metric wer --out .
    .: has no name
score --hyp hyp
    metric bleu needs --ref
score --hyp hyp --ref ref --metric 'bleu(order=0)'
    metric bleu: order must be from 1 to 12, not 0
score --hyp hyp --ref ref --metric lrscore
    metric lrscore needs --source and --input hyp_alignment=FILE and --input ref_alignment=FILE; or
score --hyp hyp --ref ref --metric chrf --language ja
    --language has no effect: the selected metrics set it themselves or do not use it
score --hyp hyp --ref ref --metric bleu --language chinese
    language 'chinese' is not a known language code; give one code
score --hyp hyp --ref ref --metric wer --test koehn
    --test needs several --hyp
score --hyp hyp --ref ref --metric wer --documents one
    one: 1 line, but there are 2 sentences; write one document name per sentence
score OUTPUTS --hyp hyp=hyp2
    2 systems are called hyp; rename one, as in --rules
meta OUTPUTS --human letters.tsv
    letters.tsv:2: 'x' is not a score; write a number
meta OUTPUTS --human range.tsv
    range.tsv:2: segment 9, but there are 2, counted from 0; judgments and outputs must have the
meta OUTPUTS --human other.tsv
    judged system somebody has no output (hyp, hyp2); name its file after it, or omit the system
meta OUTPUTS --human same.tsv
    pairs.accuracy is undefined for every metric: all scores are equal
meta OUTPUTS --human fields.tsv
    fields.tsv:2: 2 fields instead of 3; separate the fields with tabs, as in the header
meta OUTPUTS --rankings ranks.csv
    ranks.csv:1: no column srcIndex or segmentId; it needs srcIndex, judgeId, system1Id,
meta OUTPUTS --human human.tsv --by nope
    unknown statistic of these judgments 'nope'; known:
meta OUTPUTS --human human.tsv --without hyp2
    pairs.accuracy is undefined for every metric: it needs 2 systems
meta OUTPUTS
    give the human judgments of the outputs with --human or --rankings
tune wer TUNED
    metric wer: no parameter is free; mark it as in name=?; wer has none
tune 'hlepor(x=?)' TUNED
    unknown parameter of hlepor 'x' (did you mean 'n'?); known:
analyse orders --system nope
    unknown system of orders 'nope'; known:
rules show en-ja --sentence ' '
    --sentence:1: a blank line; every line must have a sentence
rules abate
    unknown command 'abate' (did you mean 'ablate'?); known:
rules check example.toml
    example.toml:5: example 1: order does not contain exactly the words of the tree
rules learn OWN --trees s.conllu --out mine.txt
    --out must name a rule file, which ends in .toml
reorder --rules en-ja --trees s.conllu --parser en-web
    --parser has no effect with --trees
select --nbest ranks.conllu OWN --out selected
    ranks.conllu:7: sentence 1: parse 7 where 2 was expected; the parses of a sentence must be
select --nbest scores.conllu OWN --out selected
    scores.conllu:1: sentence 1: score 'x' is not a number; write it as -3.48
evaluate OWN --rules none --trees s.conllu --gold first.conllu
    s.conllu: 2 trees for 1 sentence; sentence 1, token 4: trees have 'Go', source has nothing
align s.en one
    one:2: 1 sentence, but s.en has 2 sentences; both must have the same sentences
align s.en
    give SOURCE and TARGET to align, or --from
reference show en-tr --sentence 9999
    reference en-tr/dev has no sentence '9999'; give a number from 1 to 150 or a sent_id
reference build --source s.en --out built
    give both --source and --target
reference build OWN --target one --target-language ja --out built
    one:2: 1 sentence, but s.en has 2 sentences; both must have the same sentences
train --train s.conllu --dev s.conllu --out model --resume nobody
    unknown parser 'nobody'; known:
train --train s.conllu --dev s.conllu --out model --resume s.conllu
    s.conllu: only the training of a spaCy pipeline can be continued
train --train s.conllu --dev s.conllu --out model --weight 1 --weight 2
    2 weights for 1 training files
--quiet --verbose metrics
    choose one of --quiet and --verbose
meta --human human.tsv --metric wer
    give outputs with --hyp, or runs with --run
meta --table ribes-1 --hyp hyp --human human.tsv
    give outputs with --hyp and references with --ref
LEARN --parser s.conllu
    s.conllu: trees cannot be trained; give a spaCy pipeline
reference build --target s.ja OWN --split dev=1,test=2 --out built
    split test cannot have 2 of 1 sentence left
reference build --target s.ja OWN --split dev=2,test --out built
    split test cannot have nothing left
align s.en s.ja --train-source s.en
    give one --train-target for each --train-source
evaluate OWN --rules none --parser 'en-web(x=1)'
    en-web(x=1): x is not one of
evaluate OWN --rules none --parser 's.conllu(truecase=always)'
    s.conllu(truecase=always): only spaCy pipelines can truecase
evaluate OWN --rules base.toml
    base.toml:3: key extends: must be a text, not 3
evaluate OWN --rules head.toml
    head.toml:3: key rule 1 head is missing; add head
evaluate OWN --rules pair.toml
    pair.toml:5: rule 1 (VERB): a pair has two kinds of items
evaluate OWN --rules dots.toml
    dots.toml:3: a key of more than 10 dots; use fewer tables
evaluate OWN --rules feats.toml --trees s.conllu
    rule set 'r' has conditions on FEATS, but the trees have none
tune 'ribes(alpha=?)' TUNED --score-column a --score-column b
    --score-column is given twice; only meta takes several
tune 'ribes(alpha=?)' TUNED --folds 3
    2 judged segments are too few for 3 folds
manual nothing-like-that
    unknown page or word of the manual 'nothing-like-that'
meta OUTPUTS --human human.tsv --without nobody
    unknown judged system 'nobody'; known:
meta OUTPUTS --human human.tsv --without hyp --without hyp2
    --without omits every judged system
meta --table nope --hyp hyp --ref ref --human human.tsv
    unknown table 'nope'; known:
meta --hyp missing --ref ref --human human.tsv
    missing: no such file
meta OUTPUTS --human {pair}.tsv --pair a --pair b --score-column a --score-column b
    several --score-column and several --pair cannot be combined
meta --mt-metrics-eval nothing/xx-en --ref a --ref b
    --mt-metrics-eval takes one --ref
meta --mt-metrics-eval nothing/xx-en
    nothing/documents/xx-en.docs: is not a test set of mt-metrics-eval
metrics --format paper
    --format paper needs systems that are compared
score --hyp s.conllu --ref ref
    s.conllu: is CoNLL-U with trees
align s.en s.ja --aligner hmm
    unknown aligner 'hmm'; known: agree, ibm1
align s.en --from auto
    s.en:1: 'She reads books' is not in a known alignment format; name the format: pharaoh, lader
select --nbest first.conllu OWN --out selected
    first.conllu: has fewer lists than there are sentences; there must be one for every sentence
select OWN --out selected
    give either --nbest or --parser
parse --raw --source blank.en --out selected
    blank.en:2: a blank line; every line must have a sentence
tune 'hlepor(tag_alpha=?)' TUNED
    metric hlepor: tag_alpha=? cannot be fitted, because it is not a fraction or a weight; hlepor
tune 'nkt(alpha=?)' TUNED --folds 2 --margin 9
    humans ranked no two outputs of the same segment
tune 'nkt(alpha=?)' TUNED --by system.pearson --folds 2
    system.pearson is undefined: it needs 3 systems
tune 'lrscore(alpha=?)' TUNED --align ibm1(force=true)
    metric lrscore needs --source
watch --rules en-ja --trees missing.conllu
    missing.conllu: cannot be read: No such file or directory
compare s.conllu
    give two parsers or files of trees
compare s.conllu s.conllu --reference en-ja --system x
    --system needs runs
compare en-web s.conllu --source s.en --alignment s.align
    the languages of s are not known; give a rule set, such as --rules en-ja, or name the align
compare twice.toml
    give two rule files
compare twice.toml heads.toml --rules en-ja
    --rules needs two parsers or their trees or two parsers on constructions
compare orders --reference en-ja
    --reference needs two rule files or two parsers or their trees or two parsers on constr
compare en-web en_core_web_sm --reference constructions --gate fuzzy:-0.1
    --gate needs runs or two rule files or two parsers or their trees
compare en-web en_core_web_sm --reference constructions --metric kendall
    --metric needs runs or two rule files or two parsers or their trees
compare en-web en_core_web_sm --reference constructions --reference en-ja
    --reference constructions compares two parsers and takes no other reference
compare en-web --reference constructions
    --reference constructions compares two parsers and takes no other reference
rules show en-ja --sentence x --parser gold
    --parser gold needs --reference
reference check en-tr en-tr --against en-tr
    --against takes one reference set
reference build --source s.en --target s.ja --target-language ../ja --out built
    name the language, such as en, with --target-language
analyse orders --system two --by errors
    no table by errors
analyse orders --tokenize none
    --tokenize is for outputs; orders has orders
analyse orders --system two --system two
    two: orders has no trees of two different parsers; gold trees are not a parser's
analyse orders --system two --system two --by label
    --by has no effect on two systems of orders
analyse orders --by sentences --least 2
    --least has no effect on --by sentences
analyse outputs --gold s.conllu
    --gold is for orders; outputs has outputs
analyse outputs --by label
    unknown table 'label'; known: length, parts, sentences
report orders --source s.en
    orders is a run of evaluate; only runs of score take the source of outputs
report orders --human human.tsv
    judged system hyp is in no run; the runs have parsed/verb-final, two; omit it
report orders outputs
    no system has both orders and outputs: orders are of parsed/verb-final, two, outputs of a, b
meta OUTPUTS --human human.tsv --pair cs-en
    --pair replaces {pair} in file names, but no name has it
meta OUTPUTS --human {pair}.tsv
    {pair} in a file name needs at least one --pair
meta OUTPUTS --human {pair}.tsv --pair a --pair a
    the same --pair is given twice
"""
ROWS = [line.strip() for line in TABLE.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All these files, and a run of orders and one of outputs: nothing is ever written there."""
    folder = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "nothing").mkdir()
    for name, run in (("orders", "evaluate"), ("outputs", "score")):
        shutil.copytree(RUNS / run, folder / name)
    return folder


@pytest.mark.parametrize(("line", "message"), list(zip(ROWS[::2], ROWS[1::2], strict=True)))
def test_one_line_says_what_is_wrong(run, folder, monkeypatch, line, message):
    monkeypatch.chdir(folder)
    before = sorted(Path().rglob("*"))
    named = {"OWN": OWN, "OUTPUTS": OUTPUTS, "TUNED": TUNED, "LEARN": LEARN}
    for name, options in named.items():
        line = line.replace(name, options)
    code, out, err = run(*shlex.split(line))
    assert (code, out) == (2, "")
    assert err.startswith(f"preorder-eval: {message}")
    assert err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before
