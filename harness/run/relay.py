"""How log records of worker processes reach the parent's handlers.

Forked workers use multiprocessing-logging, spawned ones the standard library's queue handlers. Either way a queue is
shared, and a worker that is killed while it writes can leave that queue stuck; so nobody ever waits long for it, and
no result travels this way.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from multiprocessing.context import BaseContext
from threading import Thread
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from harness.log import logging_to

_FLUSH_SECONDS = 1.0


class Fan(logging.Handler):
    """Hands every record on to several handlers, to each what its level asks for."""

    def __init__(self, *handlers: logging.Handler):
        super().__init__()
        self._handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        """Hand one record on."""
        for handler in self._handlers:
            if record.levelno >= handler.level:
                handler.handle(record)

    def close(self) -> None:
        """Close them all."""
        for handler in self._handlers:
            handler.close()
        super().close()


class WorkerLog:
    """The end of the relay that a worker holds."""

    def __init__(self, queue: Any, is_inherited: bool):
        self._queue = queue
        self._is_inherited = is_inherited

    def open(self) -> None:
        """Send this process's records to the parent; a forked worker does so from the start."""
        if not self._is_inherited:
            root = logging.getLogger()
            root.addHandler(QueueHandler(self._queue))
            root.setLevel(logging.INFO)

    def close(self) -> None:
        """Give the last records a moment to leave."""
        self._queue.close()
        flush = Thread(target=self._queue.join_thread, daemon=True)
        flush.start()
        flush.join(_FLUSH_SECONDS)


def _close_at_once(relay: MultiProcessingHandler) -> None:
    """Close a relay; a record below every level wakes its thread, which else looks five times a second for its end."""
    closing = Thread(target=relay.close)
    closing.start()
    relay.emit(logging.makeLogRecord({"levelno": logging.NOTSET}))
    closing.join()


@contextmanager
def relayed_to(context: BaseContext, *handlers: logging.Handler) -> Iterator[WorkerLog]:
    """Send the records of this process and of its workers to these handlers, which are closed in the end.

    Parameters
    ----------
    context
        The multiprocessing context that makes the workers.
    handlers
        Where records go, each by its level.

    Yields
    ------
    WorkerLog
        What each worker is given.

    """
    fan = Fan(*handlers)
    if context.get_start_method() == "fork":
        relay = MultiProcessingHandler("relay", sub_handler=fan)
        # Whatever a killed worker did to the queue, this process must be able to exit.
        relay.queue.cancel_join_thread()
        with logging_to(relay):
            try:
                yield WorkerLog(relay.queue, is_inherited=True)
            finally:
                _close_at_once(relay)
        return
    queue = context.Queue()
    queue.cancel_join_thread()
    listener = QueueListener(queue, fan)
    listener.start()
    with logging_to(fan):
        try:
            yield WorkerLog(queue, is_inherited=False)
        finally:
            listener.stop()
            queue.close()
