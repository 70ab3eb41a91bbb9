"""The guided session: an expert at your side, as a pure state machine under thin fronts.

Vocabulary
    state          the incident as far as it is filled, what was asked, and what can be taken back; never changed
    question       what is asked next: the target, a measurement, or what an intervention did
    answer         a line that was typed, or a text that was pasted: a value, words, a path, or a command
    reply          what the session says to an answer, and the next question
    front          reads lines and shows replies: a pipe, a terminal

The incident document is the session: saved after every answer, it can be read, diagnosed and gone on with.
"""
