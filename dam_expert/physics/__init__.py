"""Exact, sourced calculators: iron law, roofline, utilisation, memory, communication, queueing, budgets, scaling laws.

Pure functions on numbers and numpy arrays, which broadcast. The name of an argument ends in its unit, or is a count
or a share. NaN means unknown and stays unknown; a value that cannot be raises :class:`PhysicsError`.
"""

from dam_expert.physics.errors import PhysicsError

__all__ = ["PhysicsError"]
