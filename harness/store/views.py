"""Views in a run's database, for people who ask it in SQL: names instead of numbers, a row for each thing."""

from typing import Final

from harness.core.cards import N_ACTION_CODES
from harness.core.records import ENDINGS
from harness.game.notation import action_text, is_action

ENDING_NAMES: Final = (*ENDINGS, "forfeit")
"""How a hand ended, by its number in the table hands."""


def _sql_list(texts: tuple[str, ...]) -> str:
    return "[" + ", ".join(f"'{text}'" for text in texts) + "]"


_HOW: Final = _sql_list(ENDING_NAMES)
_ACTION: Final = _sql_list(tuple(action_text(n) if is_action(n) else "" for n in range(N_ACTION_CODES)))

_NAMED: Final = """
    JOIN (
        SELECT p.number AS pairing, a.name AS first, b.name AS second
        FROM pairings p JOIN agents a ON a.number = p.first_agent JOIN agents b ON b.number = p.second_agent
    ) USING (pairing)
"""

# Text is the one thing that SQL takes apart quickly; a byte below 128 is a character of its own.
_BYTES: Final = "[unicode(byte) for byte in string_split(decode({}), '')]"
_CODES: Final = f"unnest({_BYTES.format('codes')})"

VIEWS: Final = (
    f"""
    CREATE VIEW deals AS
    SELECT
        pairing, first, second, deal,
        (code // 7 - 3)::TINYINT AS half_0_points,
        (code % 7 - 3)::TINYINT AS half_1_points
    FROM (
        SELECT pairing, unnest(range(first_deal, first_deal + octet_length(codes))) AS deal, {_CODES} AS code
        FROM codes
    ) {_NAMED}
    """,
    f"""
    CREATE VIEW results AS
    SELECT
        pairing, first, second,
        sum(n)::BIGINT AS deals,
        sum(n * ((half_0 > 0)::INTEGER + (half_1 > 0)::INTEGER))::BIGINT AS won,
        sum(n * ((half_0 < 0)::INTEGER + (half_1 < 0)::INTEGER))::BIGINT AS lost,
        sum(n * ((half_0 = 0)::INTEGER + (half_1 = 0)::INTEGER))::BIGINT AS drawn,
        sum(n * (half_0 + half_1)) / (2 * sum(n)) AS points_per_hand
    FROM (
        SELECT pairing, code // 7 - 3 AS half_0, code % 7 - 3 AS half_1, count(*) AS n
        FROM (SELECT pairing, {_CODES} AS code FROM codes)
        GROUP BY ALL
    ) {_NAMED}
    GROUP BY pairing, first, second
    """,
    f"""
    CREATE VIEW endings AS
    SELECT
        pairing, first, second,
        (cell // 56)::UTINYINT AS half,
        CASE WHEN cell % 4 = 0 THEN NULL WHEN cell // 28 % 2 = 0 THEN first ELSE second END AS winner,
        {_HOW}[1 + cell // 4 % 7] AS how,
        (cell % 4)::UTINYINT AS game_points,
        hands
    FROM (
        SELECT pairing, cell, sum(n)::BIGINT AS hands
        FROM (SELECT pairing, unnest(range(112)) AS cell, unnest(endings) AS n FROM chunks)
        GROUP BY pairing, cell
        HAVING sum(n) > 0
    ) {_NAMED}
    """,
    f"""
    CREATE VIEW forfeits AS
    SELECT
        pairing, first, second, deal, half,
        CASE WHEN side = 0 THEN first ELSE second END AS agent,
        kind, what, story
    FROM faults {_NAMED}
    """,
    f"""
    CREATE VIEW hand_results AS
    SELECT
        pairing, first, second, deal, half,
        CASE WHEN half = 0 THEN first ELSE second END AS leader,
        CASE WHEN points > 0 THEN first WHEN points < 0 THEN second END AS winner,
        {_HOW}[1 + how] AS how,
        abs(points)::UTINYINT AS game_points,
        first_trick_points, second_trick_points, first_tricks, second_tricks, n_actions,
        CASE closer WHEN 0 THEN first WHEN 1 THEN second END AS closer,
        CASE WHEN n_actions = 0 AND actions IS NOT NULL THEN '' ELSE
            array_to_string(
                [byte // 64 || ' ' || {_ACTION}[1 + byte % 64] for byte in {_BYTES.format("actions")}], ', '
            )
        END AS actions
    FROM hands {_NAMED}
    """,
    f"""
    CREATE VIEW actions AS
    SELECT
        pairing, deal, half, number,
        (byte // 64)::UTINYINT AS seat,
        CASE WHEN byte // 64 = half THEN first ELSE second END AS agent,
        {_ACTION}[1 + byte % 64] AS action
    FROM (
        SELECT pairing, deal, half, unnest(range(n_actions)) AS number, unnest({_BYTES.format("actions")}) AS byte
        FROM hands
        WHERE n_actions > 0 AND actions IS NOT NULL
    ) {_NAMED}
    """,
)
