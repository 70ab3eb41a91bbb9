"""Readers: bytes in, observations out. One reader per tool; none of them judges what it reads.

Where to add a reader
    1. Write one module (or one package) here with a class that fits :class:`dam_expert.readers.interface.Reader`:
       ``recognises`` looks at the first 64 KiB of content, never at a file name; ``read`` returns a ``Reading``.
    2. Name an instance in :data:`dam_expert.readers.registry.READERS`; the first reader that recognises wins.
    3. Put a short raw sample of the tool's output in its docstring, with a doctest, and tests in ``tests/readers``.

What every reader keeps to
    - values in the canonical unit of the measurement; "not available" in any spelling is unknown, never 0
    - columns by header name, never by position; a header may change within one file
    - named fields only: metadata, environment dumps and paths of a file are never echoed
    - a failure is a ``Message`` with the next step; what was readable is still used
"""
