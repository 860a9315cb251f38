"""Meta-evaluation: agreement of metrics with humans.

What metrics say about the outputs of R systems on S segments is compared with human judgments
of them, by statistics named `level.coefficient`:

==============  ===================================================================================
system          scores of systems: pearson, spearman, kendall (τ-b), accuracy of pairs, and spa,
                soft pairwise accuracy (Thompson et al. 2024), from scores of segments
core            the same without outliers
segment         all judged outputs together: pearson, spearman, kendall (τ-b)
within-system   outputs of the same system, mean over systems: the same coefficients
within-segment  outputs of the same segment, mean over segments: the same, and acc_eq, the
                accuracy of pairs with ties of metrics calibrated (Deutsch et al. 2023)
pairs           pairs of outputs of the same segment that humans put in an order: accuracy (a tie of
                the metric is half right), consistency (it is wrong; Birch & Osborne 2010), and
                Kendall's τ of WMT (wmt12, wmt13, wmt14)
==============  ===================================================================================

A metric for which lower is better is turned round, so that agreement is always positive.
"""
