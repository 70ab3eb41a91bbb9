"""Real outputs of the tools around a job that lie beside a checkout, with the values known for them."""

from __future__ import annotations

import pytest
import yaml
from readers.readings import codes, reading, told
from shared_files import ROOT, shared

FOLDERS = {
    "nvidia-smi": {
        "table": "nvidia_smi_table", "q_": "nvidia_smi_report", "xml": "nvidia_smi_report", "pmon": "nvidia_smi_pmon",
        "topo": "nvidia_smi_topo", "computeapps": "nvidia_smi_apps", "help": "field_list",
        "dmon": "nvidia_smi_dmon", "querygpu": "nvidia_smi_query",
    },
    "iostat": {
        "mpstat": "mpstat", "pidstat": "pidstat", "psi_": "kernel_counters", "sar": "sar", "top": "top",
        "vmstat": "vmstat", "iostat": "iostat",
    },
    "dcgm": {"fields": "field_list"},
    "amd-tpu-neuron": {"rocm": "rocm_smi"},
}  # fmt: skip


def files(folder: str):
    """Return the files of a folder that are of the tools here; other readers have tests of their own."""
    paths = sorted(shared(f"samples/{folder}").iterdir())
    return [path for path in paths if any(mark in path.name for mark in FOLDERS[folder])]


def sample(name: str):
    path = shared(f"samples/{name}")
    return reading(path.read_bytes(), path.name)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_sample_is_recognised_as_what_it_is(folder):
    """Each file goes to its own reader, with observations or with a message that says why there are none."""
    for path in files(folder):
        found = reading(path.read_bytes(), path.name)
        tools = [tool for mark, tool in FOLDERS[folder].items() if mark in path.name]
        assert found.tool in tools, path.name
        assert found.observations or found.messages, path.name


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("h200_590_table_load.txt", {"accelerator_utilization": 1.0, "device_power": 628.0, "power_limit": 700.0}),
        ("h200_590_table_idle.txt", {"accelerator_utilization": 0.0}),
        ("l40s_595_table_load.txt", {"accelerator_utilization": 0.09, "processes_on_device": 2.0}),
        ("rtx2080s_610_table_load.txt", {"accelerator_utilization": 0.08, "processes_on_device": 2.0}),
        ("h100mig_590_table_idle.txt", {"device_power": 98.0}),
        ("h200_590_q_load.txt", {"accelerator_utilization": 1.0, "device_power": 627.32, "pcie_link_gen": 5.0}),
        ("h100mig_590_q_load.txt", {"device_power": 432.21, "power_limit": 700.0, "processes_on_device": 3.0}),
        ("l40s_595_q_load.txt", {"accelerator_utilization": 0.09, "encoder_utilization": 0.59}),
        ("rtx2080s_win_610_q_load.txt", {"accelerator_utilization": 0.07, "pcie_link_gen": 3.0}),
        ("xml_rtx-3080-v13.xml", {"accelerator_utilization": 0.65, "device_power": 139.62, "pcie_rx_rate": 14742333e3}),
        ("xml_a10g.xml", {"pcie_link_gen_max": 4.0}),
        ("xml_tesla-t4.xml", {"power_limit": 70.0}),
        ("l40s_595_pmon_load.txt", {"accelerator_utilization": 0.076, "encoder_utilization": 0.63}),
        ("h100mig_590_pmon_load.txt", {"processes_on_device": 3.0}),
    ],
)
def test_known_values_of_devices(name, known):
    """Drivers 535 to 610, Linux and Windows, text and XML."""
    found = told(sample(f"nvidia-smi/{name}"))
    assert {measurement: found[measurement, "0"] for measurement in known} == pytest.approx(known)


@pytest.mark.parametrize(
    "name",
    ["h100mig_590_table_idle.txt", "h100mig_590_q_load.txt", "h100mig_590_pmon_load.txt", "xml_a100-sxm4-v12.xml"],
)
def test_divided_devices_have_no_utilisation(name):
    """With MIG on, utilisation is unknown, and no link is told as one under load."""
    found = told(sample(f"nvidia-smi/{name}"))
    assert not {("accelerator_utilization", "0"), ("pcie_link_gen", "0")} & set(found)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gen_mpstat-PALL.txt", {"cpu_utilization": 1.0, "cpu_steal_share": 0.005, "busiest_core_utilization": 1.0}),
        ("gen_mpstat_de_DE.txt", {"cpu_steal_share": 0.02985, "cpu_system_share": 0.21855}),
        ("gen_mpstat.json", {"cpu_steal_share": 0.0025, "cpu_system_share": 0.2151, "host_cores": 2.0}),
        ("gen_pidstat-u_de_DE.txt", {("process_cpu_cores", "15473"): 0.67185}),
        ("gen_pidstat-Hhudrw.txt", {("process_cpu_cores", "15473"): 0.68855}),
        ("gen_pidstat-udr.txt", {("process_cpu_cores", "15473"): 0.691833, ("process_read_rate", "15716"): 1.0999e7}),
        (
            "gen_vmstat.txt",
            {"runnable_processes": 11 / 3, "disk_read_rate": 28926.667 * 1024, "cpu_utilization": 0.98333},
        ),
        ("gen_vmstat_de.txt", {"runnable_processes": 6.0, "disk_write_rate": 105196 * 1024}),
        ("jc_ubuntu1804_vmstat-1-long.txt", {"disk_read_rate": 0.0, "swap_rate": 0.0}),
        ("gen_psi_io.txt", {"io_pressure_share": 0.2742, "io_pressure_full_share": 0.0024}),
        ("gen_psi_memory.txt", {"memory_pressure_share": 0.0}),
        ("psi_node_exporter_irq.txt", {"irq_pressure_full_share": 0.0}),
        ("gen_sar-nDEV.txt", {"network_receive_rate": 0.0}),
        ("gen_top-b.txt", {"load_average": 3.9, "cpu_utilization": 1.0, ("process_cpu_cores", "16202"): 0.474}),
        ("gen_top-b_de.txt", {"load_average": 3.99, ("process_cpu_cores", "16202"): 0.684}),
        ("jc_centos7_top-b-n3.txt", {"cpu_utilization": 0.0085, "runnable_processes": 1.5}),
    ],
)
def test_known_values_of_hosts(name, known):
    """Sysstat 10 to 12.6 and procps 3 to 4, C and German locale, text and JSON."""
    found = told(sample(f"iostat/{name}"))
    assert {measurement: found[measurement] for measurement in known} == pytest.approx(known, rel=1e-4)


@pytest.mark.parametrize("name", ["jc_centos7_pidstat_12h.txt", "jc_pidstat-hT_ALL.txt", "gen_vmstat-s.txt"])
def test_outputs_since_boot_say_so(name):
    """What covers the time since boot is not taken for the job."""
    assert codes(sample(f"iostat/{name}")) == {"since-boot-only"}


def test_known_values_of_an_idle_mi100():
    """Keys and units of ROCm 6.0."""
    amd = told(sample("amd-tpu-neuron/rocm_mi100_rocm602.json"))
    assert (amd["accelerator"], amd["device_count"], amd["device_power", "1"]) == ("Instinct MI100", 4.0, 44.0)


def test_every_measurement_of_the_samples_is_known_to_the_base():
    """A reader emits only ids that exist, of the right kind of value."""
    entries = [
        entry
        for path in sorted((ROOT / "knowledge" / "measurements").glob("*.yaml"))
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")).get("measurements", [])
    ]
    words = {
        entry["id"]: entry["kind"] in {"category", "flag"}
        or (entry["kind"] == "setting" and not entry.get("unit", "1"))
        for entry in entries
    }
    for folder in FOLDERS:
        for path in files(folder):
            for each in reading(path.read_bytes(), path.name).observations:
                assert each.measurement in words, (path.name, each.measurement)
                assert words[each.measurement] == isinstance(each.value, str), (path.name, each.measurement)


def test_a_listing_of_one_of_four_devices_keeps_its_index():
    """The second of four A100 is listed alone, and is known by its minor number."""
    found = told(sample("nvidia-smi/xml_a100-sxm4-v12.xml"))
    assert found["device_memory_total", "1"] == 81920 * 2.0**20
    assert found["device_count"] == 4.0
