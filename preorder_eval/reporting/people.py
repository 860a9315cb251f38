"""Pages of `meta`: tables and pictures, metrics against humans and each other."""

from __future__ import annotations

from typing import Any

from preorder_eval.data.judgments import HumanScores
from preorder_eval.meta_evaluation.evaluation import MetaEvaluation, constant, judged_outputs
from preorder_eval.meta_evaluation.scores import short_labels
from preorder_eval.metrics.registry import short_names
from preorder_eval.reporting.charts import density_svg, heatmap_svg, scatter_svg
from preorder_eval.stats.bootstrap import Bootstrap


def people_values(people: MetaEvaluation) -> dict[str, Any]:
    """Return what the template of a page's section on people refers to.

    The statistics come by their level, that which sorts the metrics first.
    """
    names, _ = short_names([metric.metric for metric in people.metrics])
    levels: dict[str, list[tuple[str, Bootstrap]]] = {people.by.partition(".")[0]: []}
    for name, values in people.statistics.items():
        level, _, coefficient = name.partition(".")
        levels.setdefault(level, []).append((coefficient, values))
    return {"people": people, "judged_metrics": names, "levels": list(levels.items())}


def pictures(result: MetaEvaluation) -> list[str]:
    """Draw how metrics correlate with each other and with people, as SVG.

    For each metric that is how it scores the systems, once more without outliers, and the judged
    outputs. A metric that is undefined has no pictures.
    """
    names, _ = short_labels(result.metrics)
    ordered = [names[metric] for metric in result.order]
    between = result.between[result.order][:, result.order].tolist()
    title = "Metric against metric: Pearson's r over judged outputs"
    drawn = [heatmap_svg(ordered, between, title=title)]
    systems, judgments = list(result.judgments.systems), result.judgments
    judged = judged_outputs(judgments)
    without = [s for s, name in enumerate(systems) if name not in result.outliers]
    levels = [("systems", list(range(len(systems))))]
    if 0 < len(without) < len(systems):
        levels.append(("systems without outliers", without))
    for metric in result.order:
        scores, axes = result.metrics[metric], {"x_label": names[metric], "y_label": "humans"}
        if constant(scores, judged):
            continue
        drawn += [
            scatter_svg(
                [systems[s] for s in kept],
                scores.system_scores()[kept].tolist(),
                result.people[kept].tolist(),
                title=f"{names[metric]}, {level}",
                outliers=result.outliers,
                **axes,
            )
            for level, kept in levels
        ]
        if isinstance(judgments, HumanScores):
            x, y = scores.segment_scores()[judged].tolist(), judgments.means[judged].tolist()
            drawn.append(density_svg(x, y, title=f"{names[metric]}, outputs", **axes))
    return drawn
