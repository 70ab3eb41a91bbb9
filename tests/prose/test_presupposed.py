"""What a question tells: one that asks for the reason, or heads a report with what is worse."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("# Slow\n\nWhy is speculative decoding slower than normal decoding?\n", True, id="why"),
        pytest.param("# Speculative decoding is slower than without?\n\nIs it?\n", True, id="a title"),
        pytest.param("# Speed\n\nIs speculative decoding slower than normal decoding?\n", False, id="whether"),
        pytest.param("# Speed\n\nWhy would speculative decoding be slower?\n", False, id="an idea"),
        pytest.param(
            "# Speed\n\nWhy is a colleague told that speculative decoding is slower?\n", False, id="of others"
        ),
    ],
)
def test_a_question_for_the_reason_tells_what_is(read, text, told) -> None:
    """Who asks why something is slow says that it is; who asks whether does not."""
    found = {each.observation.measurement for each in read(text).findings}
    assert ("speculation_slower" in found) is told
