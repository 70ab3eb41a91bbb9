"""Write the tool outputs of ``starved-accelerator/``: an image training job on one A100 that waits for its loader.

The files are made up, in the formats of the real tools; every number is computed here, so that they agree with
each other. Four loader workers decode JPEG files on four cores: most batches are late, and the mean wait is
45 % of the step. The device works 39 % of the step, and the disk is idle, so decoding is short, not storage.

Run ``python examples/make_starved_accelerator.py`` to write them again; the same bytes come out each time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "starved-accelerator"
PROCESS = 4117
STREAM = 7
#: How long the main process waits for each of eight batches, in µs: two rounds of four workers, which finish unevenly.
WAITS = (149_400.0, 31_150.0, 117_900.0, 24_300.0, 151_050.0, 28_700.0, 116_200.0, 26_300.0)
KERNELS_PER_STEP = 14
#: Device time of one kernel and host time between two launches, in µs.
KERNEL, LAUNCH_EVERY = 4_880.0, 6_420.0
COPY, COPY_BYTES = 1_640.0, 64 * 3 * 224 * 224 * 4
NAMES = (
    "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_kernel",
    "sm80_xmma_dgrad_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_kernel",
    "void cudnn::bn_fw_tr_1C11_kernel_NCHW<__half, float, 512, true, 1>",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor>",
)


class Trace:
    """Events of one capture in the order of the profiler, and the two counters that tie host and device together."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.correlation = 9000

    def add(self, cat: str, name: str, start: float, duration: float, where: tuple[int, int], **args: object) -> None:
        """Add one complete event; times in µs."""
        event = {"ph": "X", "cat": cat, "name": name, "pid": where[0], "tid": where[1]}
        self.events.append({**event, "ts": round(start, 3), "dur": round(duration, 3), "args": args})

    def submit(self, call: str, cat: str, name: str, at: float, free: float, duration: float, **args: object) -> float:
        """Add a call of the host and the device work it starts once the stream is free; return when that ends."""
        self.correlation += 1
        begin = max(at + 9.0, free)
        self.add("cuda_runtime", call, at, 6.5, (PROCESS, PROCESS), cbid=211, correlation=self.correlation)
        self.add(cat, name, begin, duration, (0, STREAM), device=0, stream=STREAM, correlation=self.correlation, **args)
        return begin + duration


def one_step(trace: Trace, number: int, start: float, wait: float, free: float) -> tuple[float, float]:
    """Add one training step; return when the host ends it and when the device ends its work."""
    here = (PROCESS, PROCESS)
    now = start + 60.0
    trace.add("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", now, wait, here)
    now += wait + 120.0
    trace.add("cpu_op", "aten::to", now, 40.0, here)
    route = "Memcpy HtoD (Pinned -> Device)"
    free = trace.submit("cudaMemcpyAsync", "gpu_memcpy", route, now + 10.0, free, COPY, bytes=COPY_BYTES)
    now += 300.0
    for index in range(KERNELS_PER_STEP):
        if index % 5 == 0:
            trace.add("cpu_op", ("aten::conv2d", "aten::batch_norm")[index % 2], now - 20.0, 60.0, here)
        grid, block = [1568, 1, 1], [256, 1, 1]
        name = NAMES[index % len(NAMES)]
        free = trace.submit("cudaLaunchKernel", "kernel", name, now, free, KERNEL, grid=grid, block=block)
        now += LAUNCH_EVERY
    end = now + 5_900.0
    trace.add("user_annotation", "Optimizer.step#SGD.step", now, 5_600.0, here)
    trace.add("user_annotation", f"ProfilerStep#{number}", start, end - start, here)
    return end, free


def trace_text() -> str:
    """Return the profiler's Chrome trace: eight warm steps."""
    trace = Trace()
    start = free = 5_310_442_000.0
    begin = start
    for number, wait in enumerate(WAITS, start=10):
        start, free = one_step(trace, number, start, wait, free)
        start += 70.0
    trace.add("Trace", "PyTorch Profiler (0)", begin - 400.0, start - begin + 900.0, (PROCESS, PROCESS))
    device = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85_094_825_984, "computeMajor": 8}
    head = {"schemaVersion": 1, "deviceProperties": [{**device, "computeMinor": 0, "numSms": 108}]}
    rows = ",\n".join(json.dumps(event, separators=(",", ":")) for event in trace.events)
    return json.dumps(head)[:-1] + f', "displayTimeUnit": "ms", "traceEvents": [\n{rows}\n]}}\n'


def dmon_text() -> str:
    """Return ``nvidia-smi dmon -c 24``: utilisation that swings between 10 % and 40 %, power and clocks to match."""
    names = ("gpu", "pwr", "gtemp", "mtemp", "sm", "mem", "enc", "dec", "jpg", "ofa", "mclk", "pclk")
    units = ("Idx", "W", "C", "C", "%", "%", "%", "%", "%", "%", "MHz", "MHz")
    lines = ["# " + head[0] + "".join(f"{word:>7}" for word in head[1:]) for head in (names, units)]
    swing = (38, 39, 12, 40, 31, 37, 10, 39, 40, 28, 36, 14)
    for row in range(24):
        sm = swing[row % len(swing)]
        values = (92 + 3 * sm, 46 + row % 3, 51 + row % 2, sm, sm // 2, 0, 0, 0, 0, 1593, 1410)
        lines.append("    0" + "".join(f"{v:>7}" for v in values))
    return "\n".join(lines) + "\n"


def iostat_text() -> str:
    """Return ``iostat -x 5 4``: busy cores, hardly any waiting for the disk, a disk at 4 %."""
    cpu = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle"
    disk = (
        "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await"
        " wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util"
    )
    # user, system, iowait, idle; reads/s and their wait in ms: the first report is the mean since boot
    reports = (
        (31.42, 4.10, 0.35, 64.13, 118.20, 0.31, 1.35),
        (90.84, 6.92, 0.06, 2.18, 352.40, 0.24, 3.62),
        (92.11, 6.37, 0.04, 1.48, 361.60, 0.25, 3.71),
        (91.37, 6.80, 0.08, 1.75, 358.80, 0.24, 3.64),
    )
    lines = ["Linux 6.1.0-18-amd64 (trainer) \t05/14/26 \t_x86_64_\t(4 CPU)", ""]
    for user, system, iowait, idle, reads, wait, util in reports:
        lines += [cpu, f"{user:>15.2f}{0:>8.2f}{system:>8.2f}{iowait:>8.2f}{0:>8.2f}{idle:>8.2f}", "", disk]
        depth = reads * wait / 1000 + 0.01
        read = f"nvme0n1 {reads:>13.2f} {reads * 109.5:>9.2f} {0:>8.2f} {0:>6.2f} {wait:>7.2f} {109.5:>8.2f}"
        write = f" {3.2:>7.2f} {41.6:>9.2f} {1.4:>8.2f} {30.43:>6.2f} {0.4:>7.2f} {13:>8.2f}"
        rest = f" {0:>7.2f} {0:>9.2f} {0:>8.2f} {0:>6.2f} {0:>7.2f} {0:>8.2f} {0.6:>7.2f} {0.5:>7.2f}"
        lines += [f"{read}{write}{rest} {depth:>7.2f} {util:>6.2f}", "", ""]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the three files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    (folder / "profile.pt.trace.json").write_text(trace_text(), encoding="utf-8")
    (folder / "nvidia-smi-dmon.txt").write_text(dmon_text(), encoding="utf-8")
    (folder / "iostat-x.txt").write_text(iostat_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
