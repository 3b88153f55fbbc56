"""How the help of a command names its arguments."""

from typing import Any

from typer.core import TyperArgument, TyperCommand


class PlainCommand(TyperCommand):
    """A command whose help calls its arguments by their names, and says nothing of Python's types."""

    def __init__(self, *arguments: Any, **settings: Any):
        super().__init__(*arguments, **settings)
        for parameter in self.params:
            if isinstance(parameter, TyperArgument):
                parameter.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
