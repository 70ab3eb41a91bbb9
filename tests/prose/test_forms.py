"""The forms of reports: mail, chat, issue exports, Markdown of many kinds."""

from __future__ import annotations

import json

from dam_expert.prose.forms import passages_of
from dam_expert.prose.passages import passages


def test_quoted_and_others_words_are_second_hand():
    """What a mail quotes, another speaker says or another user comments is not the reporter's."""
    mail = passages_of("From: a\nTo: b\nSubject: slow\n\nIt waits.\n\n> is it the disk\n\n-- \nme\n")
    assert [(each.text, each.second_hand) for each in mail] == [
        ("slow", False),
        ("It waits.", False),
        ("is it the disk", True),
    ]
    chat = passages_of("[10:00] ana: slow\n[10:01] ben: the disk\n[10:02] ana: no\n")
    assert [each.second_hand for each in chat] == [False, True, False]
    issue = {"title": "t", "body": "b", "user": {"login": "a"}, "comments": []}
    issue["comments"] = [{"user": {"login": name}, "body": "c"} for name in ("a", "b")]
    assert [each.second_hand for each in passages_of(json.dumps(issue))] == [False, False, False, True]


def test_lines_stay_those_of_the_file():
    """Every passage knows the line and column in which its words stand."""
    found = passages("# T\n\ntext one\n  text two\n\n* item\n> quote\n")
    assert [(each.kind.value, *each.place(0)) for each in found] == [
        ("title", 1, 2),
        ("text", 3, 0),
        ("item", 6, 2),
        ("quote", 7, 2),
    ]
    assert found[1].place(len("text one\n")) == (4, 2)


def test_comments_of_templates_are_left_out():
    """The hints of an issue template, in HTML comments, are nobody's words."""
    assert [each.text for each in passages("<!-- Is it slow?\nTell us -->\nIt is slow.\n\nVery.\n")] == [
        "It is slow.",
        "Very.",
    ]
