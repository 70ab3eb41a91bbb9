"""Small outputs of training tools in the shape of real ones, by name."""

# ruff: noqa: E501 - the lines are as long as the tools print them

from __future__ import annotations

OOM_NEW = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 94.97 GiB of "
    "which 1.25 GiB is free. Process 77 has 2.00 GiB memory in use. Including non-PyTorch memory, this process has 91.50 "
    "GiB memory in use. Of the allocated memory 89.50 GiB is allocated by PyTorch, with 64.00 MiB allocated in private "
    "pools (e.g., CUDA Graphs), and 1.50 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory "
    "is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
)

SUMMARY = """\
|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 1                 |
|---------------------------------------------------------------------------|
|            CUDA OOMs: 2            |        cudaMalloc retries: 7         |
|===========================================================================|
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
|---------------------------------------------------------------------------|
| Allocated memory      |   5624 MB  |   6000 MB  |  22536 MB  |  16911 MB  |
|       from large pool |   5543 MB  |   5589 MB  |   8875 MB  |   3332 MB  |
|---------------------------------------------------------------------------|
| GPU reserved memory   |   8000 MB  |   8192 MB  |   9000 MB  |   1000 MB  |
| Non-releasable memory |    300 MB  |    400 MB  |   9000 MB  |   8700 MB  |
|===========================================================================|
"""

KEY_AVERAGES = """\
-----------------------------------------------------  ------------  ------------  ------------  ------------
                                                 Name    Self CPU %      Self CPU   CPU total %     CPU total  \
CPU time avg     Self CUDA   Self CUDA %    CUDA total  CUDA time avg    # of Calls
-----------------------------------------------------  ------------  ------------  ------------  ------------
                                        ProfilerStep*        10.34%       2.013ms       100.00%     200.000ms  \
    50.000ms       0.000us         0.00%     100.000ms       25.000ms             4
enumerate(DataLoader)#_MultiProcessingDataLoaderIter....      1.00%      10.000ms        10.00%      20.000ms  \
     5.000ms       0.000us         0.00%       0.000us        0.000us             4
                                     cudaLaunchKernel        10.34%      20.000ms        10.00%      20.000ms  \
     5.000us       0.000us         0.00%       0.000us        0.000us          4000
                                cudaDeviceSynchronize         1.34%      90.000ms        45.00%      90.000ms  \
    90.000ms       0.000us         0.00%       0.000us        0.000us             1
                                cudaStreamSynchronize         1.34%      10.000ms         5.00%      10.000ms  \
     2.500ms       0.000us         0.00%       0.000us        0.000us             4
ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*...       0.00%       0.000us         0.00%       0.000us  \
     0.000us      30.000ms        37.50%      30.000ms        7.500ms             4
                      Memcpy HtoD (Pageable -> Device)         0.00%       0.000us         0.00%       0.000us  \
     0.000us      10.000ms        12.50%      10.000ms        1.250ms             8
-----------------------------------------------------  ------------  ------------  ------------  ------------
Self CPU time total: 210.000ms
Self CUDA time total: 80.000ms
"""

LIGHTNING = """\
FIT Profiler Report

--------------------------------------------------------------------------------
|  Action                             \t|  Mean duration (s)\t|  Num calls      \t|  Total time (s) \t|  Percentage % \t|
--------------------------------------------------------------------------------
|  Total                              \t|  -              \t|  416            \t|  1.7213         \t|  100 %        \t|
--------------------------------------------------------------------------------
|  run_training_epoch                 \t|  1.0            \t|  2              \t|  2.0            \t|  92.5         \t|
|  [_TrainingEpochLoop].train_dataloader_next\t|  0.1     \t|  16             \t|  1.6            \t|  77.5         \t|
|  run_training_batch                 \t|  0.013586       \t|  16             \t|  0.21737        \t|  12.6         \t|
|  [Callback]M{'a': 'x|y'}.on_fit_end \t|  0.0076068      \t|  2              \t|  0.015214       \t|  0.88         \t|
|  save_checkpoint                    \t|  0.05           \t|  2              \t|  0.1            \t|  0.76         \t|
|  [Strategy]DDPStrategy.batch_to_device\t|  0.0025       \t|  16             \t|  0.04           \t|  0.12         \t|
"""

LIGHTNING_OLD = """\
Profiler Report
Action              |  Mean duration (s)  |  Total time (s)
-----------------------------------------------------------------
get_train_batch     |  0.25           |  2.5
run_training_batch  |  0.75           |  7.5
"""

LIGHTNING_ADVANCED = """\
FIT Profiler Report
Profile stats for: run_training_epoch
         222 function calls (212 primitive calls) in 0.100 seconds

   Ordered by: cumulative time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
        2    0.000    0.000    0.100    0.050 training_epoch_loop.py:148(run)

Profile stats for: [_TrainingEpochLoop].train_dataloader_next
         2234 function calls (2136 primitive calls) in 0.600 seconds

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
    80/16    0.000    0.000    0.600    0.038 {built-in method builtins.next}
       16    0.000    0.000    0.600    0.038 dataloader.py:1251(_try_get_data)

Profile stats for: run_training_batch
         1024 function calls (992 primitive calls) in 0.300 seconds

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
       16    0.000    0.000    0.300    0.019 automatic.py:163(run)
"""

DEEPSPEED_FLOPS = """\
-------------------------- DeepSpeed Flops Profiler --------------------------
Profile Summary at step 10:
Notations:
data parallel size (dp_size), model parallel size(mp_size),
world size:                                                             8
batch size per GPU:                                                     80
params per gpu:                                                         336.23 M
params of model = params per GPU * mp_size:                             0
fwd MACs per GPU:                                                       3139.93 GMACs
fwd flops per GPU = 2 * fwd MACs per GPU:                               6279.86 G
fwd latency:                                                            76.67 ms
bwd latency:                                                            108.02 ms
fwd FLOPS per GPU = fwd flops per GPU / fwd latency:                    81.9 TFLOPS
bwd FLOPS per GPU = 2 * fwd flops per GPU / bwd latency:                116.27 TFLOPS
fwd+bwd FLOPS per GPU = 3 * fwd flops per GPU / (fwd+bwd latency):      102.0 TFLOPS
step latency:                                                           34.09 us
iter latency:                                                           184.73 ms
FLOPS per GPU = 4 * fwd flops per GPU / iter latency:                   101.98 TFLOPS
samples/second:                                                         433.07
    fwd latency - {'Sequential': '17.24 ms'}
"""

CALFLOPS = """\
------------------------------------- Calculate Flops Results -------------------------------------
Notations:
number of parameters (Params), number of multiply-accumulate operations(MACs),
default model backpropagation takes 2.00 times as much computation as forward propagation.

Total Training Params:                                                  20.11 K
fwd MACs:                                                               274.56 MMACs
fwd FLOPs:                                                              557.96 MFLOPS
fwd+bwd MACs:                                                           823.69 MMACs
fwd+bwd FLOPs:                                                          1.67 GFLOPS
"""

PTFLOPS = """\
ResNet(
  25.56 M, 100.000% Params, 4.12 GMac, 100.000% MACs,
  (conv1): Conv2d(9.41 k, 0.037% Params, 118.01 MMac, 2.863% MACs)
)
Computational complexity:       4.12 GMac
Number of parameters:           25.56 M
"""

FVCORE = """\
| module   | #parameters or shape   | #flops   |
|:---------|:-----------------------|:---------|
| model    | 20.106K                | 0.279G   |
| 0        | 0.896K                 | 43.352M  |
"""

FLOP_COUNTER = """\
Module                            FLOP    % Total
---------------------------  ---------  ---------
Sequential                     552.50M    100.00%
- aten.convolution             549.126M    99.39%
Sequential.0                    86.704M    15.69%
"""

HF_STATE = """\
{"global_step": 110, "train_batch_size": 8, "log_history": [
  {"epoch": 0.1, "grad_norm": 1.05, "learning_rate": 5e-05, "loss": 2.0, "step": 10, "train_runtime": 30.0},
  {"epoch": 0.5, "grad_norm": 1.05, "learning_rate": 4e-05, "loss": 1.8, "step": 60, "train_runtime": 55.0},
  {"epoch": 1.0, "grad_norm": 1.05, "learning_rate": 1e-05, "loss": 1.5, "step": 110, "train_runtime": 80.0},
  {"epoch": 1.0, "eval_loss": 1.75, "eval_runtime": 3.0, "step": 110},
  {"epoch": 1.0, "step": 110, "total_flos": 876896256.0, "train_loss": 1.7, "train_runtime": 80.0,
   "train_samples_per_second": 11.0, "train_steps_per_second": 1.375}
]}
"""

METRICS_CSV = """\
epoch,step,train_loss,val_loss,lr-AdamW,time_metrics/data_loading(%)
0,0,2.0,,1e-3,50.0
0,50,1.5,,5e-4,30.0
0,50,,1.75,,
"""

TENSORBOARD_CSV = "Wall time,Step,Value\n1000.0,0,2.0\n1100.0,10,1.9\n1105.0,20,1.8\n1110.0,30,1.7\n"

WANDB_CSV = """\
"Step","run-7 - train/loss","run-7 - train/loss__MIN","run-7 - train/loss__MAX","run-7 - system.gpu.0.gpu"
"1","3.5","3.4","3.6","40"
"2","NaN","NaN","NaN","60"
"3","NaN","NaN","NaN",""
"""

MLLOG = """\
0: some other line
0: :::MLLOG {"namespace": "", "time_ms": 1000, "event_type": "POINT_IN_TIME", "key": "global_batch_size", "value": 1024}
0: :::MLLOG {"namespace": "", "time_ms": 1000, "event_type": "INTERVAL_START", "key": "run_start", "value": null}
0: :::MLLOG {"namespace": "", "time_ms": 9000, "event_type": "POINT_IN_TIME", "key": "tracked_stats", \
"value": {"throughput": 500.0, "step_time": 2.0}}
0: :::MLLOG {"namespace": "", "time_ms": 61000, "event_type": "INTERVAL_END", "key": "run_stop", "value": null}
"""

DUMP = """\
Process 3049: python train.py --token secret
Python v3.11.7 (/opt/python/bin/python3.11)

Thread 3049 (idle): "MainThread"
    wait (threading.py:331)
    get (queue.py:180)
    _try_get_data (torch/utils/data/dataloader.py:1251)
    _next_data (torch/utils/data/dataloader.py:1402)
    <module> (train.py:13)
Thread 3091 (active+gil): "prefetcher"
    loads (json/__init__.py:334)
        Arguments:
            s: "{"a": 1}"
    work (busy.py:4)
    _bootstrap (threading.py:1002)
Thread 0x7F12 (idle)
    poll (selectors.py:415)
"""

DUMP_JSON = """\
[{"pid": 7, "thread_id": 1, "thread_name": null, "os_thread_id": 7, "active": true, "owns_gil": true, "frames": [
  {"name": "compile_fx", "filename": "/x/torch/_inductor/compile_fx.py", "short_filename": "torch/_inductor/compile_fx.py",
   "line": 3}, {"name": "<module>", "filename": "/x/train.py", "short_filename": "train.py", "line": 1}]}]
"""

RAW = """\
<module> (train.py:9);train (train.py:20);step (train.py:31) 60
<module> (train.py:9);train (train.py:20);_compile (torch/_dynamo/convert_frame.py:5) 20
_bootstrap (threading.py:1002);run (threading.py:982);__getitem__ (data.py:4);open (PIL/Image.py:30) 20
"""

RAW_WORKER = """\
process 9:"python train.py";<module> (train.py:9);_worker_loop (torch/utils/data/_utils/worker.py:308);\
fetch (torch/utils/data/_utils/fetch.py:51);__getitem__ (data.py:4);decode (data.py:9) 70
process 9:"python train.py";<module> (train.py:9);_worker_loop (torch/utils/data/_utils/worker.py:308);\
fetch (torch/utils/data/_utils/fetch.py:51);__getitem__ (data.py:5) 30
process 9:"python train.py";<module> (train.py:9);_worker_loop (torch/utils/data/_utils/worker.py:308);\
get (multiprocessing/queues.py:113) 100
"""

SPEEDSCOPE = """\
{"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "py-spy@0.4.3",
 "profiles": [{"type": "sampled", "name": "Process 1 Thread 2 \\"loader\\"", "unit": "none",
   "samples": [[0, 1], [0]], "weights": [3, 1]},
  {"type": "sampled", "name": "Process 1 Thread 1 \\"MainThread\\"", "samples": [[1], [9]], "weights": [4, 1]}],
 "shared": {"frames": [{"name": "run", "file": "a.py", "line": 1}, {"name": "work", "file": "b.py", "line": 2}]}}
"""

CHROME = """\
[{"args": {"filename": "/x/t.py", "line": 2}, "cat": "py-spy", "name": "<module>", "ph": "B", "pid": 1, "tid": 1, "ts": 0},
 {"args": {"filename": "/x/d.py", "line": 2}, "cat": "py-spy", "name": "decode", "ph": "B", "pid": 1, "tid": 1, "ts": 30},
 {"args": {"filename": "/x/d.py", "line": 2}, "cat": "py-spy", "name": "decode", "ph": "E", "pid": 1, "tid": 1, "ts": 90},
 {"args": {"filename": "/x/t.py", "line": 2}, "cat": "py-spy", "name": "<module>", "ph": "E", "pid": 1, "tid": 1, "ts": 100}]
"""

PERF = """\
# Samples: 253  of event 'cpu-clock'
#
# Children      Self  Command  Shared Object          Symbol
# ........  ........  .......  .....................  ...........................
#
    60.00%    40.00%  python3  libpython3.11.so.1.0   [.] _PyEval_EvalFrameDefault
            |
            ---0x7ff324456240
               |--8.70%--_PyEval_EvalFrameDefault
    30.00%    30.00%  pt_data  libjpeg.so.62.3.0      [.] jpeg_idct_islow
    10.00%    10.00%  python3  [kernel.kallsyms]      [k] copy_user_generic
"""

NEURON = """\
{"neuron_runtime_data": [{"report": {"neuroncore_counters": {"period": 1.0, "neuroncores_in_use": {"0": \
{"neuroncore_utilization": 90.0, "effective_flops": 3e13}, "1": {"neuroncore_utilization": 10.0}}}, "memory_used": \
{"neuron_runtime_used_bytes": {"host": 5, "neuron_device": 1024}}}}], "neuron_hardware_info": {"neuron_device_count": 2}}
{"neuron_runtime_data": [{"report": {"neuroncore_counters": {"neuroncores_in_use": {"0": \
{"neuroncore_utilization": 70.0, "effective_flops": 1e13}}}}}]}
"""

ASCEND = """\
Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble
1,rank,0,80000,10000,5000,15000,1610000,1700000,0
2,rank,0,80000,20000,5000,25000,900000,1000000,0
2,stage,0,80000,20000,5000,25000,900000,1000000,0
"""

INPUT_PIPELINE = """\
[{"cols": [{"id": "stepnum"}, {"id": "noninfeedTimeMs"}, {"id": "infeedTimeMs"}, {"id": "infeedPercentAverage"}],
  "rows": [{"c": [{"v": "1"}, {"v": 20.0}, {"v": 60.0}, {"v": 75.0}]},
           {"c": [{"v": "2"}, {"v": 20.0}, {"v": 20.0}, {"v": 50.0}]}, {"c": [{"v": "3"}, null]}],
  "p": {"infeed_percent_average": "70"}}, {}]
"""


def lines(pattern: str, numbers: range, **columns: list[object]) -> str:
    """Return one line per number, with the columns filled in."""
    return "\n".join(
        pattern.format(n=number, **{name: values[at] for name, values in columns.items()})
        for at, number in enumerate(numbers)
    )


IMAGENET = lines(
    "Epoch: [0][{n:5d}/5005]\tTime  0.211 ({mean:7.3f})\tData  0.001 ({data:6.3f})\tLoss 6.9 (6.95)\tAcc@1 0.1 (0.2)",
    range(0, 30, 10),
    mean=[20.0, 2.0, 1.25],
    data=[10.0, 1.0, 0.6],
)
TIMM = lines(
    "Train: 0 [{n:4d}/1251 (  4%)]  Loss: 6.95 (6.97)  Time: 0.350s,  700.00/s  (0.400s,  690.12/s)  LR: 1.000e-06  "
    "Data: 0.012 (0.100)",
    range(0, 150, 50),
)
MEGATRON = lines(
    " [2024-05-01 10:00:00] iteration {n:8d}/    1000 | consumed samples: 256 | elapsed time per iteration (ms): {ms} | "
    "throughput per GPU (TFLOP/s/GPU): 400.0 | learning rate: 1.5E-05 | global batch size:   256 | lm loss: 1.0E+01 |",
    range(1, 8),
    ms=[255940.1, 100.0, 100.0, 100.0, 100.0, 200.0, 200.0],
)
TORCHTITAN = lines(
    "\x1b[31mstep: {n:2d}  \x1b[32mloss: 11.5  \x1b[33mgrad_norm:  9.66  memory: 40.00GiB(50.00%)  \x1b[34mtps: 4,000  "
    "\x1b[36mtflops: 250.00  \x1b[35mmfu: {mfu}\x1b[39m",
    range(1, 4),
    mfu=["N/A", "25.00%", "25.00%"],
)
MMENGINE = """\
01/01 00:00:00 - mmengine - INFO - Epoch(train)  [1][  50/3696]  lr: 1.0e-02  eta: 6:14:05  time: 0.5  data_time: 0.1  \
memory: 1024  loss: 1.9
01/01 00:00:00 - mmengine - INFO - Epoch(train)  [1][ 100/3696]  lr: 1.0e-02  eta: 6:14:05  time: 0.4  data_time: 0.1  \
memory: 1024  loss: 1.8
01/01 00:00:00 - mmengine - INFO - Epoch(val)  [1][  50/369]    eta: 0:00:05  time: 9.9  data_time: 9.8  memory: 400
"""
MM_JSON = """\
{"mode": "train", "epoch": 1, "iter": 50, "lr": 0.01, "memory": 1024, "data_time": 0.2, "loss": 1.5, "time": 0.5}
{"mode": "train", "epoch": 1, "iter": 100, "lr": 0.01, "memory": 1024, "data_time": 0.1, "loss": 1.4, "time": 0.4}
{"mode": "val", "epoch": 1, "iter": 10, "lr": 0.01, "data_time": 9.0, "time": 9.5, "loss": 3.0}
"""
TQDM = (
    " 12%|#2        | 120/1000 [02:00<15:04,  1.03s/it, loss=0.5]\r 14%|#4        | 140/1000 [02:20<14:50,  1.02s/it, "
    "loss=0.4]\r 16%|#6        | 160/1000 [02:40<14:50,  1.02s/it, loss=0.4]\n"
    "Loading checkpoint shards: 100%|##########| 2/2 [00:50<00:00, 25.0s/it]\n"
)
TQDM_FAST = "Epoch 0:  10%|#         | 100/1000 [00:05<01:30, 20.00it/s, v_num=0]\nValidation:  10%|# | 1/10 [00:05<00:09,  5.00s/it]\n"
HF_STDOUT = """\
{'loss': '0.6972', 'grad_norm': '1.05', 'learning_rate': '4e-05', 'epoch': '0.25'}
 50%|#####     | 2/4 [00:01<00:01,  2.00it/s]{'loss': 0.69, 'grad_norm': nan, 'learning_rate': 2e-05, 'epoch': 0.5}
{'eval_loss': 0.75, 'eval_runtime': 0.2, 'epoch': 0.5}
{'train_runtime': '8.0', 'train_samples_per_second': '16.0', 'train_steps_per_second': '0.5', 'train_loss': '0.69'}
"""
DEEPSPEED = """\
[2024-01-01 00:00:00,1] [INFO] [logging.py:96:log_dist] [Rank 0] time (ms) | fwd: 10.0 | bwd: 30.0 | bwd_inner: 28.0 | \
bwd_allreduce: 2.0 | step: 5.0
[Rank 0] steps: 10 loss: 9.3 iter time (s): 0.350 samples/sec: 22.6
"""
DEEPSPEED_OLD = """\
[Rank 0] rank=0 time (ms) | forward_microstep: 10.0 | backward_microstep: 30.0 | backward_inner_microstep: 28.0 | \
backward_allreduce_microstep: 2.0 | step_microstep: 5.0
epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=7.5, CurrSamplesPerSec=7.4, MemAllocated=7.0GB, \
MaxMemAllocated=19.0GB
"""

OTHER_LOGS: dict[str, tuple[str, dict[str, float]]] = {
    "yolox": (
        "epoch: 1/20, iter: 10/1051, gpu mem: 1024Mb, mem: 46.8Gb, iter_time: 2.561s, data_time: 0.332s, total_loss: 8.9, "
        "lr: 4.5e-07\nepoch: 1/20, iter: 20/1051, gpu mem: 1024Mb, mem: 46.9Gb, iter_time: 1.600s, data_time: 0.004s, "
        "total_loss: 8.8, lr: 1.8e-06",
        {"step_time": 1.6, "input_wait_share": 0.0025, "steps_captured": 10, "memory_allocated": 2.0**30},
    ),
    "detectron2": (
        "[d2.utils.events]:  eta: 0:10:00  iter: 219  total_loss: 2.1  loss_cls: 1.0  time: 0.2000  last_time: 0.9  "
        "data_time: 0.0100  last_data_time: 0.8   lr: 0.0001  max_mem: 2500M",
        {"step_time": 0.2, "input_wait_share": 0.05, "training_loss": 2.1},
    ),
    "metric_logger": (
        "Epoch: [0]  [  10/1251]  eta: 0:10:00  lr: 0.1  img/s: 300.0 (299)  loss: 6.9 (6.95)  time: 0.5123  data: 0.0123  "
        "max mem: 1024\nEpoch: [0]  [  20/1251]  eta: 0:10:00  lr: 0.1  img/s: 300.0 (299)  loss: 6.9 (6.95)  time: 0.4  "
        "data: 0.02  max mem: 1024",
        {"step_time": 0.4, "input_wait_share": 0.05, "throughput": 300.0, "memory_allocated": 2.0**30},
    ),
    "hrnet": (
        "Epoch: [1][100/2342]\tTime 0.333s (0.400s)\tSpeed 96.0 samples/s\tData 0.100s (0.200s)\tLoss 0.00123 (0.002)",
        {"step_time": 0.4, "input_wait_share": 0.5, "throughput": 96.0},
    ),
    "data and net": (
        "[1/10][20/300] Data 3.556s(0.500s) |Net 1.500s",
        {"step_time": 2.0, "input_wait_share": 0.25},
    ),
    "swin": (
        "INFO Train: [0/300][10/1251]\teta 0:10:00 lr 0.000001\t time 0.5012 (0.6000)\tloss 6.9 (6.95)\tmem 1024MB",
        {"step_time": 0.6, "training_loss": 6.9, "memory_allocated": 2.0**30},
    ),
    "nanogpt": (
        "iter 0: loss 10.9, time 30000.00ms, mfu -100.00%\niter 10: loss 6.9, time 135.0ms, mfu 35.00%\n",
        {"step_time": 0.135, "mfu": 0.35},
    ),
    "nanochat": (
        "step 00010/21400 (0.05%) | loss: 9.12 | lrm: 1.00 | dt: 320.00ms | tok/sec: 1,638,000 | mfu: 48.00",
        {"step_time": 0.32, "token_rate": 1638000.0, "mfu": 0.48},
    ),
    "fairseq": (
        "train_inner | epoch 001:    100 / 1000 loss=12.1, wps=25000, ups=5.0, wpb=4900, num_updates=100, lr=1.25e-05",
        {"step_time": 0.2, "training_loss": 12.1},
    ),
    "keras": (
        "1875/1875 [====] - 5s 2ms/step - loss: 0.4 - accuracy: 0.87",
        {"step_time": 0.002, "training_loss": 0.4},
    ),
    "paddle": (
        "epoch: [1/100], global_step: 10, lr: 0.01, loss: 2.2, avg_reader_cost: 0.50000 s, avg_batch_cost: 0.80000 s, "
        "ips: 80.0 samples/s",
        {"step_time": 0.8, "input_wait_share": 0.625, "throughput": 80.0},
    ),
    "mxnet": ("INFO:root:Epoch[0] Batch [20]\tSpeed: 1234.50 samples/sec\taccuracy=0.1", {"throughput": 1234.5}),
    "tensorflow": ("INFO:tensorflow:global_step/sec: 12.5", {"step_time": 0.08}),
    "verl": (
        "step:1 - timing_s/gen:20.1 - timing_s/step:60.5 - perf/mfu/actor:0.31 - perf/throughput:812.0",
        {"step_time": 60.5, "mfu": 0.31, "device_token_rate": 812.0},
    ),
    "megatron seconds": (
        "[default7]: iteration    31214/  115311 | consumed samples:     47768496 | consumed tokens:  97829879808 | "
        "elapsed time per iteration (s): 104.50 | learning rate: 5.279E-05 | global batch size:  2048 | lm loss: "
        "2.198845E+00 | samples per second: 19.598 | TFLOPs: 150.00 |",
        {"step_time": 104.5, "device_flops_rate": 150e12, "global_batch_size": 2048.0},
    ),
    "notebook": (
        " [ 500/1000 10:00 < 10:00, 0.83 it/s, Epoch 1/2]\nStep\tTraining Loss\n1\t2.345600",
        {"step_time": 1 / 0.83},
    ),
    "nemo": (
        "Epoch 0: :   0%|          | 2000/603000 [1:03:17<317:00:58, v_num=, reduced_train_loss=2.600, "
        "global_step=2e+3, consumed_samples=1.28e+6, train_step_timing in s=1.900, val_loss=2.800]",
        {"step_time": 1.9, "training_loss": 2.6},
    ),
    "nemo 2": (
        "Training epoch 0, iteration 10/99 | lr: 4.498e-07 | global_batch_size: 512 | global_step: 10 | "
        "reduced_train_loss: 10.33 | train_step_timing in s: 5.102 | consumed_samples: 5632",
        {"step_time": 5.102, "global_batch_size": 512.0},
    ),
    "maxtext": (
        "completed step: 7, seconds: 3.250, TFLOP/s/device: 181.500, Tokens/s/device: 5041.231, total_weights: 65536, "
        "loss: 9.852",
        {"step_time": 3.25, "device_flops_rate": 181.5e12, "device_token_rate": 5041.231},
    ),
    "megatron timers": (
        "    batch-generator ................: (0.50, 2.00)\n iteration  2/ 1000 | elapsed time per iteration (ms): 80.0 | "
        "lm loss: 1 |",
        {"input_wait_time": 0.002, "input_wait_share": 0.025},
    ),
}

TEXTS: dict[str, tuple[str, str]] = {
    "oom": (OOM_NEW, "allocator_message"),
    "summary": (SUMMARY, "allocator_message"),
    "key_averages": (KEY_AVERAGES, "key_averages"),
    "lightning": (LIGHTNING, "lightning_profiler"),
    "lightning_old": (LIGHTNING_OLD, "lightning_profiler"),
    "lightning_advanced": (LIGHTNING_ADVANCED, "lightning_profiler"),
    "deepspeed_flops": (DEEPSPEED_FLOPS, "deepspeed_flops_profiler"),
    "calflops": (CALFLOPS, "flop_counter"),
    "ptflops": (PTFLOPS, "flop_counter"),
    "fvcore": (FVCORE, "flop_counter"),
    "flop_counter": (FLOP_COUNTER, "flop_counter"),
    "hf_state": (HF_STATE, "framework_log"),
    "metrics_csv": (METRICS_CSV, "framework_log"),
    "tensorboard_csv": (TENSORBOARD_CSV, "framework_log"),
    "wandb_csv": (WANDB_CSV, "framework_log"),
    "mllog": (MLLOG, "framework_log"),
    "dump": (DUMP, "py_spy"),
    "dump_json": (DUMP_JSON, "py_spy"),
    "raw": (RAW, "py_spy"),
    "raw_worker": (RAW_WORKER, "py_spy"),
    "speedscope": (SPEEDSCOPE, "py_spy"),
    "chrome": (CHROME, "py_spy"),
    "perf": (PERF, "perf"),
    "neuron": (NEURON, "neuron_monitor"),
    "ascend": (ASCEND, "ascend_profiler"),
    "input_pipeline": (INPUT_PIPELINE, "xprof"),
    "imagenet": (IMAGENET, "framework_log"),
    "timm": (TIMM, "framework_log"),
    "megatron": (MEGATRON, "framework_log"),
    "torchtitan": (TORCHTITAN, "framework_log"),
    "mmengine": (MMENGINE, "framework_log"),
    "mm_json": (MM_JSON, "framework_log"),
    "tqdm": (TQDM, "framework_log"),
    "tqdm_fast": (TQDM_FAST, "framework_log"),
    "hf_stdout": (HF_STDOUT, "framework_log"),
    "deepspeed": (DEEPSPEED, "framework_log"),
    "deepspeed_old": (DEEPSPEED_OLD, "framework_log"),
    **{f"log of {name}": (text, "framework_log") for name, (text, _) in OTHER_LOGS.items()},
}
