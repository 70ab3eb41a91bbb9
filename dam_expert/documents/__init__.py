"""What goes in and what comes out: values with units, observations, incidents, diagnoses, messages.

Vocabulary
    quantity       a number with a unit as people write it: ``35 %``, ``10-40 %``, ``about 1.2 ms``
    interval       the value itself, ``[lo, hi]`` in the canonical unit of its dimension
    observation    one value of a measurement with its basis, scope, origin and time
    incident       the document that goes in: target, workload, environment, observations, plans
    diagnosis      the document that comes out
    message        one line about a problem in an input: ``file:line:col: level: text [code]``

Nothing in this package knows what a measurement means; that is knowledge.
"""
