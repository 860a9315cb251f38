"""What other tools print, for comparison with tables that were published with them.

Two public tools score reordering against word alignments: `evaluate-lader` of lader (Neubig et
al. 2012) and `evaluate_preordering.py` of topdown-btg-preordering (Nakagawa 2015). Both print a
fuzzy reordering score and Kendall's τ, and neither fuzzy score is the paper's: they rank words by
whole target spans, count the borders of the sentence as joints, and let any two neighbours of
the same or the next rank pass as contiguous.

That ranks systems differently. Against the reference `0 1 2 3 4`, the order `1 2 3 4 0` scores
0.75 by equation 1 of Talbot et al. (2011) and `0 2 1 3 4` scores 0.25; both tools give 0.5 to
both, because the first breaks one joint of 4 and both borders, the second three joints and
neither border, which is 3 of 6. `preorder_eval.metrics` has the paper's.
"""
