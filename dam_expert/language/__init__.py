"""The rule language: conditions and formulas, their three-valued truth, and the program they compile to.

Vocabulary
    column       a measurement, perhaps of one part of its scope: ``queue_time[stage=decode]``, ``step_time.max``
    leaf         one comparison of a column, or the name of a symptom
    tree         leaves joined by ``all``, ``any``, ``not``, ``at_least``
    truth        false, unknown or true; a missing value makes its comparison unknown
    decisive     a leaf that may carry a confirmation or a refutation
    program      the trees of a whole base as one table of shared nodes

The language knows only the names, kinds and units that are handed to it (:mod:`dam_expert.language.names`);
it reads no files and no measurements. A new operator goes into ``conditions``, its truth into ``comparison``.
"""
