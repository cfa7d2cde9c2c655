"""Timing on equal terms: every contestant's launches in a CUDA graph, replayed in turn."""

import statistics
from typing import Any, Callable

import torch

LEAST_LAUNCHES = 16  # in a graph, so that its own start does not count
WARM_UPS = 3

Run = Callable[[int], Any]


def launches_for(sets: int) -> int:
    """Whole rounds over the sets."""
    return -(-LEAST_LAUNCHES // sets) * sets


class Launches:
    """`count` launches over `sets` input sets, captured once; enqueued one by one where `streamed`."""

    def __init__(self, run: Run, sets: int, count: int, streamed: bool = False) -> None:
        self.run, self.sets, self.count = run, sets, count
        self.graph: torch.cuda.CUDAGraph | None = None
        self.output: Any = None
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for number in range(min(count, 3)):  # what a first call allocates or compiles
                run(number % sets)
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        if not streamed:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, capture_error_mode="thread_local"):
                self._enqueue()
            self.graph = graph

    def _enqueue(self) -> None:
        for number in range(self.count):
            self.output = self.run(number % self.sets)

    @property
    def last_set(self) -> int:
        """The set whose output `output` is."""
        return (self.count - 1) % self.sets

    def time_us(self) -> float:
        """Microseconds a launch, over one replay."""
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        if self.graph is None:
            self._enqueue()
        else:
            self.graph.replay()
        stop.record()
        torch.cuda.synchronize()
        return start.elapsed_time(stop) * 1000 / self.count


class Tools:
    """What the contract gives adapters for tuning."""

    sms: int = 1  # set once the GPU is known

    @staticmethod
    def time(run: Run, n: int, reps: int = 3, stream: bool = False) -> float:
        """Median microseconds a call over n input sets."""
        launches = Launches(run, n, n, stream)
        launches.time_us()
        return statistics.median(launches.time_us() for _ in range(reps))
