"""One rule set as a value: every point on which the texts disagree is a named field of `Rules`.

The fields stand in groups (``rules.close.min_stock``); users write them with the same dotted names. Values are
strict: true is not 1, "true" is not true. All faults of a rule set are told at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ModelWrapValidatorHandler
from pydantic import ValidationError, model_validator

from harness.core.records import RULES_DTYPE, records
from harness.errors import FaultsError, UsageError, did_you_mean

RULES_VERSION = 1
"""Version of what these rules mean; it changes only when play changes."""

Value: TypeAlias = bool | int | str
"""A field's value."""


def _whole_number(value: object) -> object:
    """Refuse what only equals a number (false == 0, 10.0 == 10): a literal alone would take it."""
    if type(value) is not int:
        raise ValueError("not a whole number")
    return value


GamePoints: TypeAlias = Annotated[int, Field(ge=1, le=3)]
StockSize: TypeAlias = Annotated[int, Field(ge=2, le=12)]
Target: TypeAlias = Annotated[int, Field(ge=1, le=99)]
Bonus: TypeAlias = Annotated[Literal[10, 0], BeforeValidator(_whole_number)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True)


class ExchangeRules(_Strict):
    """Swapping the lowest trump for the turned-up card."""

    after_trick: bool = False
    """an exchange needs a trick taken by your side before"""
    turn: Literal["lead", "any"] = "lead"
    """on your lead only, or also before you reply to a card"""
    min_stock: StockSize = 2
    """cards that must be left in the stock, the turned-up one counted"""
    first_lead: bool = True
    """an exchange is allowed before the first trick is taken"""


class MarriageRules(_Strict):
    """King and queen of one suit, announced on the lead: 20, in trumps 40."""

    stock: Literal["open", "any"] = "open"
    """only on a lead that began with the stock open, or also once it is closed or used up"""
    counts: Literal["after-trick", "at-once", "next-trick"] = "after-trick"
    """when the points count: once you have a trick, always at once, or only with your next trick"""
    automatic: bool = False
    """leading a king or queen whose partner you hold announces the marriage by itself"""
    lead: Literal["either", "king"] = "either"
    """the card that must be led after the announcement"""
    first_lead: bool = True
    """a marriage is allowed before the first trick is taken"""


class CloseRules(_Strict):
    """Closing the stock, and what it costs if it goes wrong."""

    allowed: bool = True
    """the stock can be closed at all"""
    before_draw: bool = False
    """the trick winner may also close before the two sides draw"""
    min_stock: StockSize = 2
    """cards that must be left in the stock, the turned-up one counted"""
    first_lead: bool = True
    """a close is allowed before the first trick is taken"""
    graded: Literal["end", "closing"] = "end"
    """a won close pays by the loser's points and tricks at the end, or at the moment of closing"""
    failed: GamePoints = 2
    """game points for the other side if the closer does not reach 66"""
    failed_trickless: GamePoints = 3
    """the same if the other side had no trick when the stock was closed"""
    overtaken: GamePoints = 2
    """game points for the other side if it goes out first after the close"""
    overtaken_trickless: GamePoints = 2
    """the same if it had no trick when the stock was closed"""


class StrictRules(_Strict):
    """What a reply owes besides following suit, once the stock is closed or used up."""

    head: bool = True
    """in the suit led, beat the card if you can"""
    trump: bool = True
    """without the suit led, play a trump if you can"""


class DeclareRules(_Strict):
    """Going out with 66."""

    automatic: bool = False
    """the hand ends by itself as soon as a side has 66 counted points"""
    false_penalty: GamePoints = 2
    """game points for the other side after a false declaration"""
    false_trickless: GamePoints = 2
    """the same if the other side has no trick when it is made"""


class LastTrickRules(_Strict):
    """The last trick of a hand whose stock ran out and was not closed."""

    bonus: Bonus = 10
    """extra card points for it"""


class UnscoredRules(_Strict):
    """A hand that nobody has won."""

    carry: bool = True
    """the next hand is worth one game point more; it adds up"""
    same_dealer: bool = False
    """the same dealer deals again; otherwise the other one, whatever `match.dealer` says"""


class MatchRules(_Strict):
    """Hands until one side has enough game points."""

    target: Target = 7
    """game points that win the match"""
    dealer: Literal["alternate", "winner"] = "alternate"
    """the deal passes to the other side, or the winner of a hand deals the next"""


@dataclass(frozen=True)
class RuleField:
    """What can be said of one field without a rule set at hand.

    `choices` are the allowed values, empty for a range `low` to `high`; `default` is the value of preset sixtysix.
    """

    name: str
    about: str
    default: Value
    choices: tuple[Value, ...]
    low: int = 0
    high: int = 0

    @property
    def allowed(self) -> str:
        """What a value may be, as words that follow "must be"."""
        if not self.choices:
            return f"a whole number from {self.low} to {self.high}"
        words = [value_text(choice) for choice in self.choices]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    def parse(self, text: str) -> Value:
        """Read a value from a command line; UsageError names the field, the text and what is allowed."""
        for choice in self.choices:
            if text == value_text(choice):
                return choice
        if not self.choices and text.isascii() and text.isdecimal() and self.low <= int(text) <= self.high:
            return int(text)
        raise UsageError(self.fault(text))

    def fault(self, value: object) -> str:
        """Say that a value is not allowed here."""
        shown = value_text(value) if isinstance(value, bool) else str(value) if value != "" else "(nothing)"
        kind = ' (text in quotes)' if isinstance(value, str) and not isinstance(self.choices[:1], str) else ""
        return f"{self.name} = {shown}{kind}: must be {self.allowed}"


def value_text(value: object) -> str:
    """Write a field's value as the command line and the transcripts do: true, 3, last-trick."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Rules(_Strict):
    """The rules of a hand and a match for two, frozen and hashable; the defaults are preset sixtysix.

    Built from groups (``Rules(close={"graded": "closing"})``), from dotted names (`Rules.from_fields`) or from another
    rule set (`with_fields`). Whatever is wrong is raised as one `FaultsError`.
    """

    nines: bool = True
    """24 cards and six-card hands; without nines 20 cards and five-card hands"""
    exchange: ExchangeRules = ExchangeRules()
    marriage: MarriageRules = MarriageRules()
    close: CloseRules = CloseRules()
    strict: StrictRules = StrictRules()
    declare: DeclareRules = DeclareRules()
    last_trick: LastTrickRules = LastTrickRules()
    undeclared: Literal["most-points", "last-trick", "sole-66", "nobody"] = "most-points"
    """who wins if all cards are played, the stock was not closed and nobody declared"""
    unscored: UnscoredRules = UnscoredRules()
    match: MatchRules = MatchRules()

    @model_validator(mode="wrap")
    @classmethod
    def _all_faults_at_once(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        faults: list[str] = []
        faulty: set[str] = set()
        rules = None
        try:
            rules = handler(data)
        except ValidationError as error:
            for detail in error.errors():
                name = ".".join(str(part) for part in detail["loc"])
                faulty.add(name)
                faults.append(_fault(name, detail["input"], detail["type"]))
        values = DEFAULTS | (_flatten(data) if isinstance(data, Mapping) else {})
        faults += [fault for names, fault in _impossible(values, faulty) if faulty.isdisjoint(names)]
        if faults or rules is None:
            raise FaultsError("these rules cannot be played:" if len(faults) > 1 else "", faults)
        return rules

    @classmethod
    def from_fields(cls, fields: Mapping[str, object]) -> Self:
        """Build a rule set from dotted names; fields that are not named have the values of preset sixtysix."""
        nested: dict[str, Any] = {}
        for name, value in fields.items():
            group, _, field = name.partition(".")
            if field and isinstance(nested.setdefault(group, {}), dict):
                nested[group][field] = value
            else:
                nested[name] = value
        return cls.model_validate(nested)

    def with_fields(self, changes: Mapping[str, object]) -> Self:
        """Return these rules with some fields changed, by dotted name: ``{"close.graded": "closing"}``."""
        return self.from_fields({**self.flat(), **changes})

    def flat(self) -> dict[str, Value]:
        """Return every field by its dotted name, in the order of `FIELDS`."""
        return dict(_leaves(self))

    def record(self) -> Any:
        """Return the rules as the compiled core reads them, an ``np.recarray`` of shape (1,) of RULES_DTYPE."""
        record = records(RULES_DTYPE)
        for name, value in self.flat().items():
            number = FIELDS[name].choices.index(value) if isinstance(value, str) else int(value)
            record[name.replace(".", "_")] = number
        return record


def _leaves(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, Value]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _flatten(data: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names of nested groups, for a check across fields; unknown names may be among them."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        inner = dict(value) if isinstance(value, BaseModel | Mapping) else None
        flat |= {name: value} if inner is None else {f"{name}.{field}": v for field, v in inner.items()}
    return flat


def _rule_fields() -> Iterator[RuleField]:
    for name, default in _leaves(Rules()):
        group, _, field = name.rpartition(".")
        info = (type(getattr(Rules(), group)) if group else Rules).model_fields[field]
        limits = {key: getattr(part, key) for part in info.metadata for key in ("ge", "le") if hasattr(part, key)}
        choices = (True, False) if info.annotation is bool else get_args(info.annotation)
        yield RuleField(
            name, info.description or "", default, choices, limits.get("ge", 0), limits.get("le", 0)
        )
