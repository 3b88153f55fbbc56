"""The compiled contract: one signature for every policy, so that one hand loop serves all pairs of agents."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

import numba
from numba import types

from harness.core.kernel import kernel
from harness.core.records import RULES_DTYPE, VIEW_DTYPE

F = TypeVar("F", bound=Callable[..., Any])

POLICY_SIGNATURE = types.int64(
    numba.from_dtype(VIEW_DTYPE),
    numba.from_dtype(RULES_DTYPE),
    types.float64[::1],
    types.uint64[::1],
    types.uint64[::1],
)
"""``policy(view, rules, params, rng, scratch) -> action``."""
POLICY_TYPE = types.FunctionType(POLICY_SIGNATURE)


def policy(function: F) -> F:
    """Compile a policy: ``policy(view, rules, params: float64[:], rng: uint64[:], scratch: uint64[:]) -> int``.

    `view` is a `harness.core.records.View`, `rules` a `RulesRecord`, `params` what the agent's ``params()`` returns,
    ``rng[0]`` the agent's own stream (`harness.core.rng.next_below` moves it), `scratch` working memory of the size
    that the agent asks for; it is not cleared between hands. The action must be in ``view.legal``.
    """
    return kernel(signature=POLICY_SIGNATURE)(function)


class PolicyPointer(types.WrapperAddressProtocol):
    """A policy's machine address, looked up once: passing this to a kernel takes a third of the time."""

    def __init__(self, function: Any):
        compiled = function.get_compile_result(POLICY_SIGNATURE)
        self._address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    def __wrapper_address__(self) -> int:
        """Address of the C function."""
        return int(self._address)

    def signature(self) -> Any:
        """Signature of the C function."""
        return POLICY_SIGNATURE


class Compiled:
    """Base of compiled agents: a frozen dataclass whose fields, in order, are the numbers that its policy reads.

    A subclass sets ``policy = staticmethod(a function compiled by `policy`)``, and `n_scratch` where it wants working
    memory (uint64 words).
    """

    policy: ClassVar[Any]
    n_scratch: ClassVar[int] = 0

    def params(self) -> tuple[float, ...]:
        """Return the policy's ``params``: the fields of the dataclass as floats."""
        return tuple(float(getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
