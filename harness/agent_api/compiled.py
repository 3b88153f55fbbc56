"""The compiled contract: one signature for every policy, so that one hand loop serves all pairs of agents."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, is_jitted, overload

from harness.agent_api.bounds import check_bounds
from harness.agent_api.bounds import parameter as parameter  # compiled agents find all that they need here
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
    that the agent asks for; it is not cleared between hands. The action must be in ``view.legal``. `view` and `rules`
    are for reading: what a policy writes there changes nothing but what it may read itself. The machine code is made
    when the agent is first built, so that a list of agents need not wait for all of theirs.
    """
    return kernel(function)


def judgement(function: F) -> F:
    """Compile a judgement: ``judge(view, rules, params, rng, scratch, means: float64[:], errors: float64[:])``.

    What a policy may tell beside its choice, for `sixtysix analyze`: for each action that it has thought about, the
    value in game points that it expects goes into `means` and the standard error into `errors` (shape (40,), by
    action; 0: no sampling was needed). All else is as for `policy`.
    """
    return kernel(function)


def policy_address(function: Any) -> Any:
    """Address of a policy's machine code, for `policy_at`; the policy itself where compilation is off."""
    if not is_jitted(function):
        return function
    compiled: Any = function.get_compile_result(POLICY_SIGNATURE)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def policy_at(address: Any) -> Any:
    """Return the policy at a `policy_address`, for a kernel that is called once a decision.

    A kernel takes a number several times faster than a policy. The address is that of the code with numba's own
    calling convention, so that an exception of the policy reaches the caller; behind the address of a C function
    it would be lost.
    """
    return address


new_proxy: Any = cgutils.create_struct_proxy  # numba gives this one no types


@intrinsic
def _policy_at(typingctx: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = new_proxy(POLICY_TYPE)(context, builder)
        function.jit_addr = builder.inttoptr(args[0], function.jit_addr.type)
        return function._getvalue()

    return POLICY_TYPE(types.int64), codegen


overload(policy_at, inline="always")(lambda address: lambda address: _policy_at(address))  # type: ignore[call-arg]


class Compiled:
    """Base of compiled agents: a frozen dataclass whose fields, in order, are the numbers that its policy reads.

    Fields made by `parameter` are checked against their bounds.

    A subclass sets ``policy = staticmethod(a function compiled by `policy`)``, `n_scratch` where it wants working
    memory (uint64 words), and ``judgement = staticmethod(a function compiled by `judgement`)`` where it can tell what
    it thinks of each action.
    """

    policy: ClassVar[Any]
    judgement: ClassVar[Any] = None
    n_scratch: ClassVar[int] = 0

    def __post_init__(self) -> None:
        """Check the bounds of all parameters; ValueError names the first that is outside."""
        check_bounds(self)

    def params(self) -> tuple[float, ...]:
        """Return the policy's ``params``: the fields of the dataclass as floats."""
        return tuple(float(getattr(self, one.name)) for one in fields(self))  # type: ignore[arg-type]
