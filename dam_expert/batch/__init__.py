"""Many incidents: stream in, columns, stream out.

Vocabulary
    piece     a part of the input that is read, diagnosed and written as a whole; pieces and their order depend on the
              input alone, so that a run that was cut off goes on where it stopped, with any number of processes
    entry     one incident of a piece as it was read, or why it could not be
    rows      what was concluded of the incidents of a piece, as columns; one row an incident, in input order
    journal   the file beside an unfinished output that says which pieces are in it

The diagnosis of each incident is that of :func:`dam_expert.engine.diagnose.diagnose`; a differential test holds both
equal. Whatever goes wrong with one incident becomes the error of its row.
"""
