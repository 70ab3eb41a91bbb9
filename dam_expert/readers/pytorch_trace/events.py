"""What an event is: one kind for the category and name it has in each generation of the profiler, CUDA and ROCm.

Categories by age: 2021 ``Operator, Runtime, Kernel, Memcpy, Memset``; since 2022 ``cpu_op, cuda_runtime, kernel,
gpu_memcpy, gpu_memset`` with marks in ``user_annotation``; since 2023 a copy of each mark in ``gpu_user_annotation``
(not used here) and launches in ``cuda_driver``. ROCm keeps the categories and has names that begin with ``hip``.

>>> kind_of("Kernel", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)").name
'COMMUNICATION'
>>> kind_of("cuda_runtime", "hipExtModuleLaunchKernel").name, kind_of("gpu_user_annotation", "ProfilerStep#6")
('LAUNCH', None)
"""

from __future__ import annotations

import enum
import re


class Kind(enum.IntEnum):
    """The kinds of event that are kept."""

    STEP = 0
    LOADER = 1
    """Waiting for the data loader, as the profiler itself marks it."""
    INPUT = 2
    """Work on inputs, known by the name of an annotation, operator or Python frame."""
    OPERATION = 3
    ANNOTATION = 4
    LAUNCH = 5
    COPY_CALL = 6
    BLOCKING_CALL = 7
    OTHER_CALL = 8
    KERNEL = 9
    COMMUNICATION = 10
    HOST_TO_DEVICE = 11
    DEVICE_TO_HOST = 12
    OTHER_COPY = 13
    MEMSET = 14
    CAPTURE = 15
    """The profiler's own mark of how long it recorded."""
    LAUNCHING = 16
    """An operator that on a device always launches at least one kernel: a product, a convolution, a norm."""


DEVICE_KINDS = (
    Kind.KERNEL,
    Kind.COMMUNICATION,
    Kind.HOST_TO_DEVICE,
    Kind.DEVICE_TO_HOST,
    Kind.OTHER_COPY,
    Kind.MEMSET,
)
OPERATION_KINDS = (Kind.OPERATION, Kind.LAUNCHING, Kind.INPUT)
CALL_KINDS = (Kind.LAUNCH, Kind.COPY_CALL, Kind.BLOCKING_CALL, Kind.OTHER_CALL)

_HOST = frozenset({"operator", "cpu_op", "user_annotation"})
_CALLS = frozenset({"runtime", "cuda_runtime", "cuda_driver", "hip_runtime", "xpu_runtime", "mtia_runtime"})
_KERNELS = frozenset({"kernel", "mtia_ccp_events"})
_COPIES = frozenset({"memcpy", "gpu_memcpy"})
_MEMSETS = frozenset({"memset", "gpu_memset"})

_LOADER = re.compile(r"^enumerate\(DataLoader\)#|(?:Single|Multi)Process\w*DataLoaderIter\.__next__")
_INPUT_MARK = re.compile(
    r"train_dataloader_next|\b(?:data_?load(?:er|ing)?|load_data|next_batch|fetch_batch|get_batch|read_batch"
    r"|pre_?process(?:ing)?|decode_(?:image|jpe?g|video|audio)|(?:read|load|decode)_(?:video|image|audio))s?\b",
    re.IGNORECASE,
)
_INPUT_OPERATION = re.compile(
    r"^(?:image::(?:decode|read)|video_reader::|torchcodec|torchaudio::|torchvision::\w*decode)"
)
_INPUT_FRAME = re.compile(
    r"(?:^|/)(?:transformers/(?:models/\w+/)?(?:image|video|feature|audio)_(?:process|extract|transform|util)"
    r"|transformers/(?:models/\w+/(?:processing|tokenization)_|processing_utils|tokenization_utils)"
    r"|torchvision/(?:transforms|io|datasets)/|torchaudio/(?:_?backend|io|_torchcodec)|PIL/|cv2/|decord/|av/|imageio/"
    r"|librosa/|soundfile|datasets/(?:arrow_dataset|iterable_dataset|formatting)|webdataset/|albumentations/|torchcodec/"
    r"|nvidia/dali/|torch/utils/data/dataloader\.py\(\d+\): __next__)"
    r"|transformers/pipelines/\w+\.py\(\d+\): preprocess$|: preprocess(?:_\w+)?$"
    r"|: (?:read|load|decode)_(?:video|image|audio|frames?|jpe?g)\w*$"
)
_COMMUNICATION = re.compile(
    r"^r?nccl|ncclDevKernel|ncclKernel|_(?:RING|TREE|COLLNET\w{0,9}|NVLS\w{0,9})_(?:LL128|LL|SIMPLE)(?![a-z])|mscclpp|cross_device_reduce|nvshmem|deep_?ep"
    r"|(?:one|two|multimem)[-_ ]?shot\w*reduce|all_?reduce\w*(?:one|two)_?shot|\ball_?reduce_kernel|allreduce_fusion",
    re.IGNORECASE,
)
_LAUNCHING = re.compile(
    r"^aten::(?:mm|addmm|bmm|baddbmm|_addmm_activation|(?:cudnn|miopen|mps)_convolution(?:_\w*relu|_backward\w*)?"
    r"|convolution_backward|_flash_attention_(?:for|back)ward|_efficient_attention_(?:for|back)ward|_?(?:cudnn|miopen)_rnn"
    r"|(?:cudnn|miopen|native)_(?:batch|layer|group)_norm(?:_backward)?|_(?:log_)?softmax(?:_backward_data)?"
    r"|threshold_backward|clamp_min_|gelu(?:_backward)?|silu_backward|tanh_backward|sigmoid_backward"
    r"|max_pool2d_with_indices(?:_backward)?|native_dropout(?:_backward)?|embedding_dense_backward)$"
)
_ALL_TO_ALL = re.compile(r"all_?reduce|all_?gather|reduce_?scatter|all_?to_?all", re.IGNORECASE)
_LAUNCH = re.compile(r"launch(?!hostfunc)", re.IGNORECASE)
_BLOCKING = re.compile(
    r"Synchronize(?:_ptsz)?$|^(?:cuda|hip)Memcpy(?:WithStream|2D|3D)?$|^cuMemcpy(?:HtoD|DtoH|DtoD)?_v2$"
)
_TO_DEVICE = re.compile(r"HtoD|HostToDevice|Host -> Device|M2D")
_TO_HOST = re.compile(r"DtoH|DeviceToHost|Device -> Host|D2M")


def kind_of(category: str, name: str) -> Kind | None:
    """Return what an event is, or None for one that says nothing here (flows, copies of marks, memory, overhead)."""
    category = category.lower()
    if category in _KERNELS:
        return Kind.COMMUNICATION if _COMMUNICATION.search(name) else Kind.KERNEL
    if category in _CALLS:
        return _call(name)
    if category in _HOST:
        return _host(category, name)
    if category in _COPIES:
        return _copy(name)
    if category in _MEMSETS:
        return Kind.MEMSET
    if category == "python_function":
        return Kind.INPUT if _INPUT_FRAME.search(name) and "post_process" not in name else None
    return Kind.CAPTURE if category == "trace" else None


def collective_of(name: str, said: object) -> str | None:
    """Return which collective a kernel is, None for one that its ranks may leave at different times.

    ``said`` is the collective as the trace names it; older traces have only the name of the kernel. A broadcast or a
    send returns before its partners have all.

    >>> collective_of("ncclDevKernel_Generic_1()", "_allgather_base"), collective_of("ncclKernel_SendRecv_RING", None)
    ('allgather', None)
    """
    found = _ALL_TO_ALL.search(said if isinstance(said, str) else name.partition("(")[0])
    return found[0].replace("_", "").lower() if found else None


def _call(name: str) -> Kind:
    if _BLOCKING.search(name):
        return Kind.BLOCKING_CALL
    if "emcpy" in name:
        return Kind.COPY_CALL
    return Kind.LAUNCH if _LAUNCH.search(name) else Kind.OTHER_CALL


def _host(category: str, name: str) -> Kind:
    if name.startswith("ProfilerStep"):
        return Kind.STEP
    if _LOADER.search(name):
        return Kind.LOADER
    if "::" in name:
        if _LAUNCHING.match(name):
            return Kind.LAUNCHING
        return Kind.INPUT if _INPUT_OPERATION.search(name) else Kind.OPERATION
    if _INPUT_MARK.search(name):
        return Kind.INPUT
    return Kind.ANNOTATION if category == "user_annotation" else Kind.OPERATION


def _copy(name: str) -> Kind:
    if _TO_DEVICE.search(name):
        return Kind.HOST_TO_DEVICE
    return Kind.DEVICE_TO_HOST if _TO_HOST.search(name) else Kind.OTHER_COPY
