"""What one submission may use."""

import dataclasses

__all__ = ["Limits"]

MIB = 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Limits:
    """Bounds of one submission; each field says its unit.

    `total_bytes` is the memory of all its processes together, watched from outside; `memory_bytes` is address space
    per process (it has to leave room for what NumPy and ZeroMQ reserve without using), `processes` counts threads too,
    `scratch_bytes` is the whole of the scratch folder, `files` the most that each place for files may hold. Once a
    cell ran for `cell_seconds` of wall time, the later ones get `later_cell_seconds` each; no cell of a run starts
    after `run_seconds`, and all checks together get `judge_seconds`.
    `output_bytes` and `outputs` are kept of each cell, `notebook_bytes` of all.
    """

    total_bytes: int = 3 * 1024 * MIB
    memory_bytes: int = 3 * 1024 * MIB
    processes: int = 128
    file_bytes: int = 64 * MIB
    scratch_bytes: int = 256 * MIB
    files: int = 20_000
    open_files: int = 512
    cpu_seconds: int = 300
    cell_seconds: int = 40
    later_cell_seconds: int = 10
    run_seconds: int = 600
    start_seconds: int = 60
    judge_seconds: int = 900
    output_bytes: int = 2 * MIB
    notebook_bytes: int = 24 * MIB
    outputs: int = 200

    def inside(self) -> dict[str, int]:
        """The ones that the pre-loaded parent sets on a kernel."""
        names = ("memory_bytes", "processes", "file_bytes", "scratch_bytes", "files", "open_files", "cpu_seconds")
        return {name: getattr(self, name) for name in names}
