"""What each real file says, looked up in the file or in its description by hand: tool, and some of its values.

An empty tool is a file that no reader opens; its value is then a word of the next step. ``None`` is a value that the
file does not have and that must stay unknown. A pair is a range, where the description gives one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

KIB, MIB, GIB = 2.0**10, 2.0**20, 2.0**30
Known: TypeAlias = tuple[str, dict[str, Any]]

NVIDIA: dict[str, Known] = {
    "h200_590_helpquerygpu.txt": ("field_list", {}),
    "h200_590_table_idle.txt": ("nvidia_smi_table", {"accelerator_utilization[0]": 0.0, "device_power[0]": 77.0}),
    "h200_590_querygpu_idle.csv": ("nvidia_smi_query", {"device_power[0]": 77.71, "device_memory_used[0]": 0.0}),
    "h200_590_dmon_idle.txt": ("nvidia_smi_dmon", {"accelerator_utilization[0]": 0.0, "sm_clock[0]": 345e6}),
    "h200_590_table_load.txt": (
        "nvidia_smi_table",
        {
            "accelerator_utilization[0]": 1.0,
            "device_power[0]": 628.0,
            "device_memory_used[0]": 32362 * MIB,
            "processes_on_device[0]": 3.0,
        },
    ),
    "h200_590_q_load.txt": (
        "nvidia_smi_report",
        {
            "accelerator_utilization[0]": 1.0,
            "memory_controller_utilization[0]": 0.07,
            "device_memory_used[0]": 32362 * MIB,
            "device_memory_total[0]": 143771 * MIB,
            "device_temperature[0]": 52.0,
            "pcie_tx_rate[0]": 4217e3,
        },
    ),
    "h200_590_querygpu_load.csv": (
        "nvidia_smi_query",
        {"accelerator_utilization[0]": 1.0, "device_power[0]": 627.40, "power_capped_share[0]": 0.0},
    ),
    "h200_590_dmon_load.txt": (
        "nvidia_smi_dmon",
        {"accelerator_utilization[0]": 1.0, "memory_controller_utilization[0]": 0.08, "utilization_samples[0]": 5.0},
    ),
    "h100mig_590_topo.txt": ("nvidia_smi_topo", {"device_count": 1.0}),
    "h100mig_590_table_idle.txt": (
        "nvidia_smi_table",
        {"accelerator_utilization[0]": None, "device_power[0]": 98.0, "device_memory_used[0]": 59 * MIB},
    ),
    "h100mig_590_q_load.txt": ("nvidia_smi_report", {"accelerator_utilization[0]": None, "device_power[0]": 432.21}),
    "h100mig_590_querygpu_load.csv": (
        "nvidia_smi_query",
        {"accelerator_utilization[0]": None, "device_power[0]": 433.78, "device_memory_used[0]": 11125 * MIB},
    ),
    "h100mig_590_pmon_load.txt": (
        "nvidia_smi_pmon",
        {"accelerator_utilization[0]": None, "processes_on_device[0]": 3.0},
    ),
    "h100_590_topo.txt": ("nvidia_smi_topo", {"device_count": 1.0}),
    "h100_590_table_idle.txt": ("nvidia_smi_table", {"device_power[0]": 69.0, "device_memory_total[0]": 81559 * MIB}),
    "h100_590_querygpu_idle.csv": ("nvidia_smi_query", {"device_power[0]": 69.85, "sm_clock[0]": 345e6}),
    "h100_590_computeapps_load.csv": ("nvidia_smi_apps", {"processes_on_device": 3.0}),
    "h100_590_dmon_load.txt": (
        "nvidia_smi_dmon",
        {"device_power[0]": (631 + 634 + 633 + 634 + 636) / 5, "memory_controller_utilization[0]": 0.094},
    ),
    "l40s_595_querygpu_idle.csv": ("nvidia_smi_query", {"accelerator_utilization[0]": 1.0, "device_power[0]": 144.97}),
    "l40s_595_dmon_idle.txt": ("nvidia_smi_dmon", {"accelerator_utilization[0]": 0.0, "sm_clock[0]": 210e6}),
    "l40s_595_table_load.txt": (
        "nvidia_smi_table",
        {"accelerator_utilization[0]": 0.09, "device_memory_used[0]": 1235 * MIB, "power_limit[0]": 350.0},
    ),
    "l40s_595_q_load.txt": ("nvidia_smi_report", {"accelerator_utilization[0]": 0.09, "encoder_utilization[0]": 0.59}),
    "l40s_595_pmon_load.txt": (
        "nvidia_smi_pmon",
        {"accelerator_utilization[0]": (0.05, 0.1), "encoder_utilization[0]": (0.59, 0.67)},
    ),
    "rtx2080s_win_610_topo.txt": ("nvidia_smi_topo", {"device_count": 1.0}),
    "rtx2080s_win_610_querygpu_idle.csv": (
        "nvidia_smi_query",
        {"device_memory_used[0]": 797 * MIB, "memory_controller_utilization[0]": 0.1},
    ),
    "rtx2080s_win_610_dmon_idle.txt": ("nvidia_smi_dmon", {"device_power[0]": 37.0, "sm_clock[0]": 300e6}),
    "rtx2080s_win_610_q_load.txt": (
        "nvidia_smi_report",
        {"accelerator_utilization[0]": 0.07, "device_memory_used[0]": 1366 * MIB, "device_temperature[0]": 44.0},
    ),
    "rtx2080s_win_610_querygpu_load.csv": (
        "nvidia_smi_query",
        {"accelerator_utilization[0]": 0.07, "device_power[0]": 97.99, "sm_clock[0]": 2040e6},
    ),
    "rtx2080s_610_querygpu_idle.csv": ("nvidia_smi_query", {"device_power[0]": 39.17, "sm_clock[0]": 765e6}),
    "rtx2080s_610_dmon_idle.txt": ("nvidia_smi_dmon", {"device_power[0]": 38.0, "device_temperature[0]": 33.0}),
    "rtx2080s_610_table_load.txt": (
        "nvidia_smi_table",
        {"accelerator_utilization[0]": 0.08, "device_power[0]": 97.0, "processes_on_device[0]": 2.0},
    ),
    "rtx2080s_610_q_load.txt": (
        "nvidia_smi_report",
        {"accelerator_utilization[0]": 0.08, "device_memory_used[0]": 815 * MIB, "pcie_link_gen[0]": 3.0},
    ),
    "rtx2080s_610_querygpu_load.csv": (
        "nvidia_smi_query",
        {"accelerator_utilization[0]": 0.08, "device_power[0]": 98.14, "device_memory_total[0]": 8192 * MIB},
    ),
    "rtx2080s_610_computeapps_load.csv": ("nvidia_smi_apps", {"processes_on_device": 2.0}),
    "rtx2080s_610_pmon_load.txt": ("nvidia_smi_pmon", {"processes_on_device[0]": 2.0}),
    "rtx2080s_610_dmon_load.txt": ("nvidia_smi_dmon", {"accelerator_utilization[0]": 0.08, "sm_clock[0]": 2070e6}),
    "xml_a100-sxm4-v12.xml": ("nvidia_smi_report", {"accelerator_utilization[1]": None, "device_count": 4.0}),
    "xml_tesla-t4.xml": ("nvidia_smi_report", {"device_power[0]": 26.78, "device_memory_used[0]": 1032 * MIB}),
    "xml_rtx-3080-v13.xml": (
        "nvidia_smi_report",
        {"accelerator_utilization[0]": 0.65, "device_power[0]": 139.62, "device_memory_used[0]": 9184 * MIB},
    ),
    "xml_a10g.xml": ("nvidia_smi_report", {"device_power[0]": 25.58, "device_temperature[0]": 17.0}),
    "xml_netdata_a100-sxm4-mig.xml": (
        "nvidia_smi_report",
        {"accelerator_utilization[0]": None, "device_memory_used[0]": 38 * MIB},
    ),
    "aibrix_ps_pp_table.txt": ("nvidia_smi_table", {"device_count": 2.0, "power_limit[0]": 72.0}),
}

HOST: dict[str, Known] = {
    "jc_ubuntu2010_iostat-x.txt": ("iostat", {"disk_utilization[sda]": None, "cpu_utilization": None}),
    "jc_centos7_pidstat_12h.txt": ("pidstat", {"process_cpu_cores[1]": None, "host_cores": 1.0}),
    "jc_centos7_pidstat-hdlrsuw.txt": ("pidstat", {"process_memory[2297]": 1136 * KIB, "host_cores": 1.0}),
    "jc_pidstat-hT_ALL.txt": ("pidstat", {"host_cores": 1.0}),
    "jc_ubuntu1804_vmstat-1-long.txt": ("vmstat", {"swap_rate": 0.0, "cpu_utilization": (0.0, 0.02)}),
    "jc_centos7_top-b-n3.txt": (
        "top",
        {"cpu_utilization": (0.007 + 0.01) / 2, "host_memory_total": 3861332 * KIB},
    ),
    "sysstat_expected.iostat+f-alt-pALL-ms.txt": (
        "iostat",
        {"cpu_utilization": 1 - 0.8289 - 0.0012, "disk_read_rate[sda]": 0.0},
    ),
    "sysstat_expected.iostat-compact.txt": ("iostat", {"disk_utilization[sdr]": 0.0642, "disk_read_iops[sdq]": 6.42}),
    "sysstat_expected.iostat-gpALL.txt": ("iostat", {"host_cores": 9.0, "cpu_iowait_share": 0.0012}),
    "psi_node_exporter_irq.txt": ("kernel_counters", {"irq_pressure_full_share": 0.0}),
    "gen_iostat-dxm.txt": (
        "iostat",
        {"disk_read_iops[vda]": 2796.0, "disk_read_rate[vda]": 11.06 * MIB, "disk_queue_depth[vda]": 1.07},
    ),
    "gen_iostat-x_de_DE.json": (
        "iostat",
        {"disk_read_iops[vda]": 3152.0, "cpu_iowait_share": 0.005, "disk_read_rate[vda]": 12864 * KIB},
    ),
    "gen_iostat-xs_short.txt": ("iostat", {"disk_utilization[vda]": 0.448, "disk_queue_depth[vda]": 0.87}),
    "gen_iostat-xzt_load.txt": ("iostat", {"cpu_iowait_share": 0.0, "disk_utilization[vda]": (0.54, 0.56)}),
    "gen_iostat_basic.txt": ("iostat", {"disk_read_rate[vda]": 14356.44 * KIB, "cpu_steal_share": 0.1095}),
    "gen_mpstat-PALL.txt": ("mpstat", {"cpu_utilization": 1.0, "cpu_steal_share": 0.005}),
    "gen_mpstat.json": ("mpstat", {"cpu_utilization": 1.0, "host_cores": 2.0}),
    "gen_mpstat_de_DE.txt": ("mpstat", {"cpu_steal_share": (0.0149 + 0.0448) / 2, "cpu_utilization": 1.0}),
    "gen_pidstat-Hhudrw.txt": ("pidstat", {"process_cpu_cores[15473]": (0.65, 0.72)}),
    "gen_pidstat-t.txt": ("pidstat", {"process_cpu_cores[15471]": 0.0}),
    "gen_pidstat-u_de_DE.txt": (
        "pidstat",
        {"process_cpu_cores[15473]": (0.65, 0.70), "process_run_wait_share[14719]": (0.45, 0.55)},
    ),
    "gen_pidstat-udr.txt": ("pidstat", {"process_cpu_cores[15473]": (0.65, 0.72)}),
    "gen_psi_io.txt": ("kernel_counters", {"io_pressure_share": 0.2742, "io_pressure_full_share": 0.0024}),
    "gen_psi_memory.txt": ("kernel_counters", {"memory_pressure_share": 0.0}),
    "gen_sar-nDEV.txt": ("sar", {"network_receive_rate": 0.0}),
    "gen_top-b.txt": ("top", {"load_average": 3.9, "cpu_system_share": 0.333, "process_cpu_cores[16202]": 0.474}),
    "gen_top-b_de.txt": ("top", {"load_average": 3.99}),
    "gen_vmstat-s.txt": ("vmstat", {"host_memory_total": 24684092 * KIB, "cpu_utilization": None}),
    "gen_vmstat.txt": (
        "vmstat",
        {
            "runnable_processes": (3 + 4 + 4) / 3,
            "cpu_iowait_share": 0.05 / 3,
            "disk_read_rate": (22620 + 39236 + 24924) / 3 * KIB,
        },
    ),
    "gen_vmstat_de.txt": ("vmstat", {"runnable_processes": 6.0, "disk_write_rate": 105196 * KIB}),
}

PROFILES: dict[str, Known] = {
    "pytorch-profiler/kineto_resnet50_w0_a.json.gz": (
        "pytorch_profiler",
        {"input_wait_share": (0.39, 0.41), "device_busy_share": (0.51, 0.60), "steps_captured": 6.0},
    ),
    "pytorch-profiler/kineto_resnet50_w4_a.json.gz": (
        "pytorch_profiler",
        {"input_wait_share": (0.0, 0.015), "device_busy_share": (0.76, 0.83), "loader_mode": "multi_process"},
    ),
    "pytorch-profiler/tl_h100_bert_small.json.gz": (
        "pytorch_profiler",
        {"step_time": 0.00443, "device_busy_share": 0.31 / 4.43},
    ),
    "pytorch-profiler/tl_h100_owlv2_dataloader.json.gz": (
        "pytorch_profiler",
        {"step_time": 1.211, "input_wait_share": 0.511, "device_busy_share": 0.468, "loader_mode": "single_process"},
    ),
    "pytorch-profiler/tl_mi300_vit_nsfw.json.gz": ("pytorch_profiler", {"device_busy_share": (0.22, 0.26)}),
    "pytorch-profiler/tl_b200_eager_nosteps.json.gz": (
        "pytorch_profiler",
        {"world_size[0]": 8.0, "span_busy_share[0]": 0.137, "step_time": None, "step_marks[0]": "false"},
    ),
    "pytorch-profiler/tl_mi300_vllm_decode_graph.json.gz": (
        "pytorch_profiler",
        {"capture_state[0]": "partial", "accelerator[0]": None},
    ),
    "pytorch-profiler/hta_a100_8rank_control.json.gz": (
        "pytorch_profiler",
        {"world_size[3]": 8.0, "step_time[3]": (0.075, 0.081), "communication_exposed_share[3]": (0.12, 0.25)},
    ),
    "pytorch-profiler/hta_v100_resnet_ns.json.gz": ("pytorch_profiler", {"device_busy_share[0]": 0.988}),
    "pytorch-profiler/hta_old_caps_inference.json.gz": ("pytorch_profiler", {"capture_state[1]": "tiny"}),
    "pytorch-profiler/hta_alexnet_cuda_sync.json.gz": ("pytorch_profiler", {"capture_state[0]": "tiny"}),
    "pytorch-profiler/hta_triton_example.json.gz": ("pytorch_profiler", {"capture_state": "tiny"}),
    "pytorch-profiler/gen_fastload_w0.json": (
        "pytorch_profiler",
        {"input_wait_share": (0.08, 0.15), "device_side": "false", "device_busy_share": None},
    ),
    "pytorch-profiler/gen_fastload_w0_stack_mem_shapes_table_tst.txt": ("key_averages", {"steps_captured": 4.0}),
    "pytorch-profiler/gen_fastload_w0_table.txt": ("key_averages", {"step_time": 19.459e-3 / 4, "steps_captured": 4.0}),
    "pytorch-profiler/gen_slowload_w2.json": (
        "pytorch_profiler",
        {"input_wait_share": (0.945, 0.965), "step_time": 0.164, "loader_mode": "multi_process"},
    ),
    "ncu/moomoo_baseline.ncu-rep": ("", {"step": "ncu --import"}),
    "ncu/nsightful_copy_blocked.csv": (
        "nsight_compute",
        {"memory_throughput_share": 0.6184, "compute_throughput_share": 0.0130},
    ),
    "nsys/nsysai_mfu_2gpu_before.sqlite": (
        "nsight_systems",
        {"span_busy_share[0]": 0.913, "span_communication_exposed_share[0]": 17.2 / 300.0},
    ),
    "nsys/nsysai_healthy_1pct.sqlite": ("nsight_systems", {"span_busy_share": 0.9901, "kernel_duration_mean": 1e-3}),
    "nsys/nsightful_power_iteration_baseline.sqlite": (
        "nsight_systems",
        {"span_busy_share": 0.632, "accelerator": "Tesla T4"},
    ),
    "nsys/vector_add_N10.nsys-rep": ("", {"step": "nsys stats"}),
    "nsys/moomoo_stats_2019_5_old_format.txt": (
        "nsight_systems",
        {"d2h_bandwidth": (1.75e9, 1.85e9), "copy_work_share": 1046 / (1046 + 104)},
    ),
}

OTHERS: dict[str, Known] = {
    "flops/gen_calflops.txt": ("flop_counter", {"forward_flops": 557.96e6, "forward_macs": 274.56e6}),
    "flops/gen_deepspeed_flops_profiler_cnn.txt": (
        "deepspeed_flops_profiler",
        {"forward_macs": 274.56e6, "forward_time": 17.24e-3, "device_flops_rate": 32.37e9},
    ),
    "flops/gen_deepspeed_flops_profiler_tf.txt": ("deepspeed_flops_profiler", {"forward_time": 32.98e-3}),
    "flops/gen_fvcore_table.txt": ("flop_counter", {"forward_macs": 0.279e9, "forward_flops": None}),
    "flops/gen_torch_FlopCounterMode.txt": ("flop_counter", {"step_flops": 1560.678e6}),
    "dcgm/netdata_all_fields.txt": ("field_list", {}),
    "nccl/gnosia_allreduce_2node_efa_nccl229.txt": (
        "nccl_tests",
        {"collective_bus_bandwidth": 12.37e9, "world_size": 2.0, "gpu_direct_rdma": "false"},
    ),
    "nccl/aws_srun_label_prefix.txt": ("nccl_tests", {"collective_bus_bandwidth": 78.33e9}),
    "nccl/issue_nccltests74_header_old.txt": ("nccl_tests", {"accelerator": "A40", "collective_bus_bandwidth": None}),
    "nccl/issue_nccl1773_p2p_lines.txt": ("nccl_debug_log", {"peer_transport": "peer_to_peer"}),
    "serving/perf_analyzer_inception.csv": (
        "serving_benchmark",
        {"throughput": 84.2, "queue_time": 33669e-6, "compute_time": 0.0117, "concurrency": 4.0},
    ),
    "serving/perf_analyzer_stdout_capi.txt": (
        "serving_benchmark",
        {"throughput": 19.6095, "queue_time": 63e-6, "compute_time": 50663e-6},
    ),
    "serving/llmprobe_vllm_metrics_live.txt": ("server_metrics", {"kv_cache_usage": 0.314}),
    "serving/dd_vllm_metrics_extract.prom": (
        "server_metrics",
        {"time_to_first_token": 0.313, "time_per_output_token": 0.19016 / 6, "request_time": 0.503},
    ),
    "serving/vllm_bench_mi300x_70b_tp8.txt": (
        "serving_benchmark",
        {"throughput": 16.05, "token_interval_p50": 0.02143, "token_interval_p99": 0.27644},
    ),
    "serving/gen_locust_exceptions.csv": ("load_generator", {}),
    "serving/gen_locust_failures.csv": ("load_generator", {}),
    "serving/gen_locust_stats.csv": (
        "load_generator",
        {"request_time": 0.031211, "request_p99": 0.095, "throughput": 187.02, "failed_request_share": 0.0},
    ),
    "training/excerpt_oom_torch_1x.txt": ("allocator_message", {"memory_requested": 62 * MIB}),
    "training/excerpt_memory_summary_head.txt": (
        "allocator_message",
        {"memory_allocated[0]": 5673 * MIB, "allocator_retries[0]": 0.0},
    ),
    "training/gen_hf_trainer_state_5.24.0.json": ("framework_log", {"batch_size": 8.0, "throughput": 97.313}),
    "training/gen_hf_trainer_stdout_5.24.0.txt": ("framework_log", {"step_time": 1 / 12.16, "throughput": 97.31}),
    "training/gen_lightning_advanced_2.6.6.txt": ("lightning_profiler", {"loader_mode": "single_process"}),
    "training/gen_lightning_metrics.csv": ("framework_log", {"workload_kind": "training"}),
    "training/gen_lightning_simple_2.6.6.txt": (
        "lightning_profiler",
        {"input_wait_share": 1.3348 / 1.5923, "input_wait_time": 1.3348 / 16},
    ),
    "training/gen_tensorboard_events.out.tfevents": ("framework_log", {}),
    "training/issue_mmdet4090_lines.txt": (
        "framework_log",
        {"input_wait_share": (0.008 + 0.009) / (0.387 + 0.393), "step_time": 0.390},
    ),
    "training/issue_mmyolo789_yolox_lines.txt": (
        "framework_log",
        {"input_wait_share": 0.003 / 1.397, "step_time": 1.397},
    ),
    "training/excerpt_oom_torch21_capacty.txt": (
        "allocator_message",
        {"memory_requested": 224 * MIB, "memory_reserved_free": 509.85 * MIB, "memory_allocated[0]": 14.04 * GIB},
    ),
    "pyspy-perf/gen_perf_report.txt": ("perf", {}),
    "pyspy-perf/gen_pyspy_chrometrace.json": ("py_spy", {"stack_input_share": (0.5, 0.8)}),
    "pyspy-perf/gen_pyspy_dump.json": ("py_spy", {"lock_holder": "input_work"}),
    "pyspy-perf/gen_pyspy_dump.txt": ("py_spy", {"lock_holder": "input_work", "main_thread_state": None}),
    "pyspy-perf/gen_pyspy_dump_locals.txt": ("py_spy", {"lock_holder": "input_work"}),
    "amd-tpu-neuron/rocm_mi100_rocm571.json": (
        "rocm_smi",
        {"device_power[0]": 39.0, "device_power[1]": 37.0, "device_memory_total[0]": 34342961152.0},
    ),
    "amd-tpu-neuron/rocm_mi100_rocm602.json": ("rocm_smi", {"device_power[0]": 36.0, "device_power[1]": 44.0}),
    "amd-tpu-neuron/rocm_rx6700xt_rocm430.json": ("rocm_smi", {"device_power[0]": 6.0, "device_count": 1.0}),
    "amd-tpu-neuron/tf_profiler_input_pipeline.json": ("xprof", {"input_gap_share": (0.81, 0.87)}),
    "amd-tpu-neuron/excerpt_neuron_monitor.json": (
        "neuron_monitor",
        {"accelerator_utilization[0]": 0.9938, "device_flops_rate[0]": 34.776e12},
    ),
}

KNOWN: dict[str, Known] = {
    **{f"nvidia-smi/{name}": known for name, known in NVIDIA.items()},
    **{f"iostat/{name}": known for name, known in HOST.items()},
    **PROFILES,
    **OTHERS,
}
