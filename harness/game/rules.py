"""One rule set as a value: every point on which the texts disagree is a named field of `Rules`.

The fields stand in groups (``rules.close.min_stock``); users write them with the same dotted names. Values
are strict: true is not 1, "true" is not true. All faults of a rule set are told at once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, TypeAlias, get_args

from annotated_types import Ge, Le
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

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
    """game points for a failed close if the other side had no trick when the stock was closed"""
    overtaken: GamePoints = 2
    """game points for the other side if it goes out first after the close"""
    overtaken_trickless: GamePoints = 2
    """game points for a close overtaken by a side that had no trick when the stock was closed"""


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
    """game points after a false declaration if the other side has no trick then"""


class LastTrickRules(_Strict):
    """The last trick of a hand whose stock ran out and was not closed."""

    bonus: Bonus = 10
    """extra points for the last trick, if the stock ran out and was not closed"""


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


class Rules(_Strict):
    """The rules of a hand and a match for two, frozen and hashable; the defaults are preset sixtysix.

    Built from nested groups (`Rules.model_validate`), from dotted names (`from_fields`) or from another rule
    set (`with_fields`). Whatever is wrong is raised as one `FaultsError`.
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
        faults: dict[str, str] = {}
        rules = None
        try:
            rules = handler(data)
        except ValidationError as error:
            for detail in error.errors():
                name = ".".join(str(part) for part in detail["loc"])
                faults[name] = _fault(name, detail["input"])
        values = DEFAULTS | (_flatten(data) if isinstance(data, Mapping) else {})
        sentences = [*faults.values(), *_impossible(values, faults.keys())]
        if rules is None or sentences:
            raise FaultsError("these rules cannot be played:" if len(sentences) > 1 else "", sentences)
        return rules

    @classmethod
    def from_fields(cls, fields: Mapping[str, object]) -> Self:
        """Build a rule set from dotted names; a field that is not named is that of preset sixtysix."""
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
        """Return the rules as the compiled core reads them: ``np.recarray``, shape (1,), RULES_DTYPE."""
        record = records(RULES_DTYPE)
        for name, value in self.flat().items():
            number = FIELDS[name].choices.index(value) if isinstance(value, str) else int(value)
            record[name.replace(".", "_")] = number
        return record


@dataclass(frozen=True)
class RuleField:
    """What can be said of one field without a rule set at hand.

    `choices` are the allowed values, empty for a range `low` to `high`; `default` is that of preset sixtysix.
    """

    name: str
    about: str
    default: Value
    choices: tuple[Value, ...]
    low: int
    high: int

    @property
    def allowed(self) -> str:
        """What a value may be, as words that follow "must be"."""
        if not self.choices:
            return f"a whole number from {self.low} to {self.high}"
        words = [value_text(choice) for choice in self.choices]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    def parse(self, text: str) -> Value:
        """Read a value as a command line has it; UsageError names the field, the text and what is allowed."""
        for choice in self.choices:
            if text == value_text(choice):
                return choice
        is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(self.high))
        if not self.choices and is_number and self.low <= int(text) <= self.high:
            return int(text)
        raise UsageError(self.fault(text))

    def fault(self, shown: str) -> str:
        """Say that a value, shown as the user wrote it, is not allowed here."""
        words = [choice for choice in self.choices if isinstance(choice, str)]
        hint = did_you_mean(shown.strip('"').lower(), words)
        return f"{self.name} = {shown or '(nothing)'}: must be {self.allowed}{hint}"


def value_text(value: object) -> str:
    """Write a field's value as the command line and the transcripts do: true, 3, last-trick."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def toml_text(value: object) -> str:
    """Show a value as a TOML file has it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_text(part) for part in value)}]"
    return value_text(value)


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
        if isinstance(value, BaseModel | Mapping):
            flat |= {f"{name}.{field}": inner for field, inner in dict(value).items()}
        else:
            flat[name] = value
    return flat


def _rule_fields(model: type[BaseModel], prefix: str = "") -> Iterator[RuleField]:
    for name, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from _rule_fields(info.annotation, f"{name}.")
        else:
            limits = {type(part): part for part in info.metadata}
            low, high = (limits[Ge].ge, limits[Le].le) if Ge in limits else (0, 0)
            choices = (True, False) if info.annotation is bool else get_args(info.annotation)
            yield RuleField(prefix + name, info.description or "", info.default, choices, low, high)


FIELDS: dict[str, RuleField] = {field.name: field for field in _rule_fields(Rules)}
"""Every field by its dotted name."""
DEFAULTS: dict[str, Value] = {name: field.default for name, field in FIELDS.items()}


def find_field(name: str) -> RuleField:
    """Return the field of this dotted name; UsageError with the nearest real one for an unknown name."""
    if name not in FIELDS:
        raise UsageError(_unknown(name))
    return FIELDS[name]


def parse_rule(text: str) -> tuple[str, Value]:
    """Read ``field=value``, as ``--rule`` takes it; UsageError says what is wrong and what is allowed."""
    name, equals, value = text.partition("=")
    field = find_field(name.strip())
    if not equals:
        raise UsageError(f'"{text}" gives no value: write {field.name}=VALUE; it must be {field.allowed}')
    return field.name, field.parse(value.strip())


def parse_rules(texts: Iterable[str]) -> dict[str, Value]:
    """Read several ``field=value``; all faults at once, a field given twice among them."""
    changes: dict[str, Value] = {}
    faults: list[str] = []
    for text in texts:
        try:
            name, value = parse_rule(text)
        except UsageError as error:
            faults.append(str(error))
            continue
        if name in changes:
            faults.append(f"{name} is given twice: {value_text(changes[name])} and {value_text(value)}")
        changes[name] = value
    if faults:
        raise FaultsError("house rules that cannot be read:" if len(faults) > 1 else "", faults)
    return changes


def _unknown(name: str) -> str:
    hint = did_you_mean(name, FIELDS) or "; `sixtysix rules show` lists the fields"
    return f'there is no rule field "{name}"{hint}'


def _fault(name: str, value: object) -> str:
    """One fault that was found in a single field or group."""
    if not name:
        return f"rules are a table of fields, not {value!r}"
    shown = f'"{value}"' if isinstance(value, str) else value_text(value)
    if name in FIELDS:
        return FIELDS[name].fault(shown)
    members = [field for field in FIELDS if field.startswith(f"{name}.")]
    if members:
        return f"{name} = {shown}: this is a group, not a field; its fields are {', '.join(members)}"
    return _unknown(name)


def _impossible(values: Mapping[str, Any], faulty: Collection[str]) -> Iterator[str]:
    """Faults across fields: an action whose `min_stock` is never met. Idle fields are no fault."""
    barred: dict[str, dict[str, bool]] = {
        "exchange": {"exchange.first_lead": False, "exchange.after_trick": True},
        "close": {"close.first_lead": False},
    }
    for action, needs in barred.items():
        name = f"{action}.min_stock"
        if not {name, "nines", "close.allowed", *needs}.isdisjoint(faulty):
            continue
        later = [field for field, value in needs.items() if values[field] is value]
        most = (12 if values["nines"] else 10) - (2 if later else 0)
        if values[name] > most and (action == "exchange" or values["close.allowed"]):
            reasons = [field for field in ("nines",) if not values[field]] + later
            given = " and ".join(f"{field} = {value_text(values[field])}" for field in reasons)
            yield (
                f"{name} = {values[name]} with {given}: never met, as at most {most} cards are left then; "
                f"take 2 to {most}"
            )
