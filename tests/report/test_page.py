"""The pieces that pages are made of."""

import pytest

from harness.report.figures.kinds import Chart
from harness.report.page.blocks import bullets, code, facts, paragraph
from harness.report.page.builder import Section, build_page
from harness.report.page.figure import figure, inline_svg
from harness.report.page.markup import element
from harness.report.page.table import Cell, Column, table, words
from tests.helpers.pages import NASTY, SVG, Page


def test_text_that_is_not_html_is_escaped_wherever_it_stands() -> None:
    chart = Chart(name="ratings", title=NASTY, caption=NASTY, alt=NASTY)
    blocks = [
        paragraph(NASTY),
        bullets([NASTY]),
        facts({NASTY: NASTY}),
        code(NASTY, NASTY),
        table(NASTY, [words(NASTY, [NASTY, NASTY])]),
        figure(chart, SVG),
    ]
    page = Page(build_page(NASTY, NASTY, [paragraph(NASTY)], [Section("a", NASTY, blocks)]))
    assert "b" not in {tag for tag, _ in page.elements}
    assert sum(text == NASTY for text in page.texts) == 15
    labels = {value for _, attributes in page.elements for value in attributes.values()}
    assert NASTY in labels


def test_a_page_asks_the_network_for_nothing() -> None:
    chart = Chart(name="ratings", title="Ratings", caption="n = 3", alt="two agents")
    page = Page(build_page("a", "b", [], [Section("a", "A", [figure(chart, SVG)])]))
    assert not any(
        value and ("//" in value or tag in ("link", "img", "iframe"))
        for tag, attributes in page.elements
        for name, value in attributes.items()
        if name != "xmlns"
    )
    policy = next(a["content"] for tag, a in page.elements if tag == "meta" and a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none';")


def test_figures_keep_their_names_apart_and_their_style_to_themselves() -> None:
    inside = inline_svg(SVG, "shares", "a sentence")
    page = Page(inside)
    by_tag = dict(page.elements)
    assert by_tag["svg"]["role"] == "img"
    assert by_tag["svg"]["aria-label"] == "a sentence"
    assert by_tag["svg"]["viewbox"] == "0 0 648 200"
    assert by_tag["path"]["id"] == "shares-p"
    assert by_tag["path"]["clip-path"] == "url(#shares-box)"
    assert by_tag["path"]["style"] == "fill: url(#shares-no)"
    assert by_tag["use"]["href"] == "#shares-p"
    assert "words" not in inside
    assert "style" not in by_tag
    assert "<!--" not in inside


def test_a_figures_caption_keeps_numbers_and_half_widths_on_one_line() -> None:
    chart = Chart(name="ratings", title="Ratings", caption="each 3 ± 6.9 % at most", alt="two agents")
    assert "each 3\u00a0±\u00a06.9\u00a0% at most" in figure(chart, SVG)


def test_cells_have_the_value_that_they_are_sorted_by() -> None:
    scores = Column("n", (Cell("1,200", 1200), Cell("-", None)))
    made = table("t", [words("agent", ["a", "b"]), scores])
    cells = [attributes for tag, attributes in Page(made).elements if tag in ("td", "th")][2:]
    assert [cell.get("data-value") for cell in cells] == ["a", "1200", "b", None]


@pytest.mark.parametrize(("value", "wanted"), [(True, " hidden"), (False, ""), (None, ""), (0, ' hidden="0"')])
def test_attributes_are_there_or_not(value: bool | int | None, wanted: str) -> None:
    assert element("p", hidden=value) == f"<p{wanted}></p>"
