"""What the calculators answer: from the numbers that an engineer has to one frozen result per question.

Each module asks the functions of :mod:`dam_expert.physics` and keeps everything a page, a document or a picture needs;
nothing here writes, rounds or draws. None stands for unknown, infinity for a bound that does not exist.
"""
