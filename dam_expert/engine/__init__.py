"""The engine: from observations to a diagnosis.

Vocabulary
    cell           the value of one column with its basis, whether it may decide, and the observations behind it
    working memory the facts that experta holds during one evaluation
    firing         one rule whose body is true, at full strength or reduced
    verdict        statuses of hypotheses and axes, and what binds
    proof          each firing down to observations, places in files, and sources of thresholds

One evaluation runs through the stages sanity → derived → symptoms → evidence → status → verdict → advice; each reads
only what earlier ones concluded, so the order of facts and rules never matters.
"""
