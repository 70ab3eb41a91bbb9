"""Many incidents at once: every stage of an evaluation on numpy columns, one row an incident.

The same semantics as :mod:`dam_expert.engine.evaluate`, stage by stage; a differential test holds both equal.

    spans        intervals as pairs of columns, and their arithmetic; NaN is unknown
    incidents    incidents as columns of a block
    comparing    truths of leaves as pairs of boolean columns
    firing       the bit program on words, and which rules fired
    judging      shares, scores, statuses, what binds and how the rest ranks
"""
