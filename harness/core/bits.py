"""Counting and finding bits in int64 masks.

Each is a plain Python function, so that it works with compilation switched off; compiled code gets the processor's
own instruction through an overload. `members` is for Python callers only.
"""

from collections.abc import Callable
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from harness.core.kernel import numba_config


def popcount(mask: int) -> int:
    """Count the set bits of a mask."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """Place of the lowest set bit; 64 for an empty mask."""
    mask = int(mask)
    return (mask & -mask).bit_length() - 1 if mask else 64


def highest(mask: int) -> int:
    """Place of the highest set bit; -1 for an empty mask."""
    return int(mask).bit_length() - 1


_BYTE_MEMBERS = tuple(
    tuple(tuple(8 * byte + i for i in range(8) if value >> i & 1) for value in range(256)) for byte in range(5)
)


def members(mask: int) -> tuple[int, ...]:
    """List the set bits of a mask below 2**40 in rising order: the cards of a set, the actions of a legal set."""
    first, second, third, fourth, fifth = _BYTE_MEMBERS
    return (
        first[mask & 255]
        + second[mask >> 8 & 255]
        + third[mask >> 16 & 255]
        + fourth[mask >> 24 & 255]
        + fifth[mask >> 32]
    )


declare_function: Any = cgutils.get_or_insert_function  # numba gives this one no types


@intrinsic
def _ctpop(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _cttz(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.int64), codegen


@intrinsic
def _ctlz(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], cgutils.false_bit))

    return types.int64(types.int64), codegen


def _compiled_as(function: Callable[[int], int], instruction: Any) -> None:
    def implementation(mask: Any) -> Any:
        return lambda mask: instruction(types.int64(mask))

    overload(function, inline="always", strict=False)(implementation)


_compiled_as(popcount, _ctpop)
_compiled_as(lowest, _cttz)
_compiled_as(highest, _ctlz)


def nth_set_bit(mask: int, n: int) -> int:
    """Place of the set bit with `n` set bits below it; trusts that there is one."""
    for _ in range(n):
        mask &= mask - 1
    return lowest(mask)


@intrinsic
def _pdep(typingctx: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(declare_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), args)

    return types.int64(types.int64, types.int64), codegen


def _has_pdep() -> bool:
    """Say whether code is made for this very processor, and it can spread bits over a mask (x86's BMI2)."""
    own = numba_config.CPU_NAME is None and numba_config.CPU_FEATURES is None
    slow = llvmlite.binding.get_host_cpu_name() in ("znver1", "znver2")  # a microprogram, there: the loop is quicker
    return own and not slow and bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


# A loop whose length is random is guessed wrongly by the processor every time; one instruction makes random hands
# forty percent faster where there is one.
place_of: Any = _cttz  # as seen inside compiled code, where the typing context is not an argument
spread: Any = _pdep
_nth_set_bit: Any = nth_set_bit
if _has_pdep():
    _nth_set_bit = lambda mask, n: place_of(spread(types.int64(1) << n, types.int64(mask)))  # noqa: E731
overload(nth_set_bit, strict=False)(lambda mask, n: _nth_set_bit)
