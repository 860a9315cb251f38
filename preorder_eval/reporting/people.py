"""What pages show of `meta`: its tables and pictures, metrics against people and each other."""

from __future__ import annotations

import re
from typing import Any

from preorder_eval.data.judgments import HumanScores
from preorder_eval.meta_evaluation.evaluation import MetaEvaluation, constant, judged_outputs
from preorder_eval.meta_evaluation.scores import short_labels
from preorder_eval.metrics.registry import short_names
from preorder_eval.reporting.charts import density_svg, heatmap_svg, scatter_svg
from preorder_eval.stats.bootstrap import Bootstrap


def people_values(people: MetaEvaluation) -> dict[str, Any]:
    """What the template of a page's section on people refers to.

    The statistics come by their level, that which sorts the metrics first.
    """
    names, _ = short_names([metric.metric for metric in people.metrics])
    levels: dict[str, list[tuple[str, Bootstrap]]] = {people.by.partition(".")[0]: []}
    for name, values in people.statistics.items():
        level, _, coefficient = name.partition(".")
        levels.setdefault(level, []).append((coefficient, values))
    return {"people": people, "judged_metrics": names, "levels": list(levels.items())}


def pictures(result: MetaEvaluation) -> dict[str, str]:
    """SVG files by their names.

    For each metric how it scores the systems (once more without outliers) and the judged outputs,
    and how the metrics correlate with each other. A metric that is undefined has no pictures.
    """
    names, _ = short_labels(result.metrics)
    ordered = [names[metric] for metric in result.order]
    between = result.between[result.order][:, result.order].tolist()
    title = "Metric against metric: Pearson's r over judged outputs"
    files = {"metrics.svg": heatmap_svg(ordered, between, title=title)}
    systems, judgments = list(result.judgments.systems), result.judgments
    judged = judged_outputs(judgments)
    for number, metric in enumerate(result.order, 1):
        scores = result.metrics[metric]
        if constant(scores, judged):
            continue
        stem = f"{number:02}-{re.sub('[^A-Za-z0-9]+', '-', names[metric]).strip('-')}"
        for level, left_out in (("systems", []), ("core", result.outliers)):
            kept = [s for s, name in enumerate(systems) if name not in left_out]
            if level == "core" and (len(kept) == len(systems) or not kept):
                continue
            caption = f"{names[metric]}, systems" + (" without outliers" if left_out else "")
            files[f"{stem}-{level}.svg"] = scatter_svg(
                [systems[s] for s in kept],
                scores.system_scores()[kept].tolist(),
                result.people[kept].tolist(),
                title=caption,
                x_label=names[metric],
                y_label="people",
                outliers=result.outliers,
            )
        if isinstance(judgments, HumanScores):
            files[f"{stem}-segments.svg"] = density_svg(
                scores.segment_scores()[judged].tolist(),
                judgments.means[judged].tolist(),
                title=f"{names[metric]}, outputs",
                x_label=names[metric],
                y_label="people",
            )
    return files
