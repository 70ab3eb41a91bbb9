"""The knowledge base: YAML files with places, checked and resolved into one immutable base.

    source, nodes, scalars, syntax   reading YAML with the place of every key and value
    models                           the shape of entries; the JSON Schema comes from them
    load → resolve → check           all files, all references, all guards, every problem in one pass
    base                             the result; what the engine works on
    hardware                         the catalogue of accelerators

A new kind of entry begins in ``models`` (its shape) and ``resolve`` (what it refers to).
"""
