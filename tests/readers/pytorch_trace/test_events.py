"""What an event is, by category and name."""

from __future__ import annotations

import pytest

from dam_expert.readers.pytorch_trace.events import Kind, kind_of


@pytest.mark.parametrize(
    ("category", "name", "kind"),
    [
        ("Kernel", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", Kind.COMMUNICATION),
        ("kernel", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", Kind.COMMUNICATION),
        ("kernel", "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(...)", Kind.COMMUNICATION),
        (
            "kernel",
            "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport",
            Kind.COMMUNICATION,
        ),
        ("kernel", "void at::native::reduce_kernel<512, 1>(...)", Kind.KERNEL),
        ("kernel", "Cijk_Ailk_Bljk_BBS_BH", Kind.KERNEL),
        ("Memcpy", "Memcpy HtoD (Pageable -> Device)", Kind.HOST_TO_DEVICE),
        ("gpu_memcpy", "CopyHostToDevice", Kind.HOST_TO_DEVICE),
        ("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", Kind.DEVICE_TO_HOST),
        ("gpu_memcpy", "Memcpy DtoD (Device -> Device)", Kind.OTHER_COPY),
        ("gpu_memset", "Memset (Device)", Kind.MEMSET),
        ("cuda_runtime", "cudaGraphLaunch", Kind.LAUNCH),
        ("cuda_driver", "cuLaunchKernelEx", Kind.LAUNCH),
        ("cuda_runtime", "cudaLaunchHostFunc", Kind.OTHER_CALL),
        ("cuda_runtime", "hipModuleLaunchKernel", Kind.LAUNCH),
        ("cuda_runtime", "hipStreamSynchronize", Kind.BLOCKING_CALL),
        ("cuda_runtime", "cudaMemcpy", Kind.BLOCKING_CALL),
        ("Runtime", "cudaMemcpyAsync", Kind.COPY_CALL),
        ("cuda_runtime", "cudaMalloc", Kind.OTHER_CALL),
        ("user_annotation", "ProfilerStep#12", Kind.STEP),
        ("gpu_user_annotation", "ProfilerStep#12", None),
        ("cpu_op", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", Kind.LOADER),
        ("Operator", "_SingleProcessDataLoaderIter.__next__", Kind.LOADER),
        ("cpu_op", "torchvision::decode_jpeg", Kind.INPUT),
        ("cpu_op", "aten::_pack_padded_sequence_backward", Kind.OPERATION),
        ("user_annotation", "## load_batch ##", Kind.ANNOTATION),
        ("cpu_instant_event", "[memory]", None),
        ("ac2g", "ac2g", None),
        ("Trace", "PyTorch Profiler (0)", Kind.CAPTURE),
    ],
)
def test_kinds(category, name, kind):
    """Every generation's name of a thing is that thing."""
    assert kind_of(category, name) is kind


def test_a_collective_whose_name_is_cut_at_its_beginning():
    """Algorithm and protocol are the library's own words."""
    assert kind_of("kernel", "...l_AllReduce_RING_LL_Sum_float(…)") is Kind.COMMUNICATION
    assert kind_of("kernel", "void merge_tree_kernel<float>") is Kind.KERNEL
