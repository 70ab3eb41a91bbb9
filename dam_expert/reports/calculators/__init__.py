"""The answers of the calculators, written: a page of text, a document for programs, a picture.

Each page is built of the sections of the report model, so that it is drawn and escaped like a report. Pictures need
matplotlib, which the extra ``plots`` installs; everything else works without it.
"""
