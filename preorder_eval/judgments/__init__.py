"""Meta-evaluation: agreement of metrics with humans.

Metric scores for the outputs of R systems on S segments are compared with human judgments of these
outputs, by statistics named `level.coefficient`:

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

If lower scores of a metric are better, they are negated, so that agreement is always positive.
"""
