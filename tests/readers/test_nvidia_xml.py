"""The long report of nvidia-smi as XML, well-meant and hostile."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading, told

from dam_expert.readers.nvidia_xml import NvidiaXmlReader
from dam_expert.readers.source import Source

HEAD = '<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_{schema}.dtd">\n'
V12 = """\
<nvidia_smi_log>
  <timestamp>Fri Aug  4 11:44:30 2023</timestamp>
  <driver_version>525.54.03</driver_version>
  <attached_gpus>1</attached_gpus>
  <gpu id="00000000:01:00.0">
    <product_name>NVIDIA A10G</product_name>
    <mig_mode><current_mig>N/A</current_mig></mig_mode>
    <mig_devices><mig_device>
      <fb_memory_usage><total>19968 MiB</total><used>12 MiB</used></fb_memory_usage>
    </mig_device></mig_devices>
    <pci><pci_gpu_link_info>
      <pcie_gen><max_link_gen>4</max_link_gen><current_link_gen>4</current_link_gen></pcie_gen></pci_gpu_link_info>
      <tx_util>46000 KB/s</tx_util></pci>
    <clocks_throttle_reasons>
      <clocks_throttle_reason_hw_slowdown>Active</clocks_throttle_reason_hw_slowdown>
    </clocks_throttle_reasons>
    <fb_memory_usage><total>1000 MiB</total><used>500 MiB</used></fb_memory_usage>
    <utilization><gpu_util>44 %</gpu_util><memory_util>N/A</memory_util></utilization>
    <power_readings>
      <power_draw>150.00 W</power_draw>
      <enforced_power_limit>300.00 W</enforced_power_limit>
    </power_readings>
    <remapped_rows><remapped_row_pending>Yes</remapped_row_pending></remapped_rows>
    <processes><process_info><type>C</type></process_info><process_info><type>G</type></process_info></processes>
  </gpu>
</nvidia_smi_log>
"""
V13 = (
    V12.replace("throttle_reason", "event_reason")
    .replace("power_readings", "gpu_power_readings")
    .replace("power_draw", "average_power_draw")
    .replace("enforced_power_limit", "current_power_limit")
)


@pytest.mark.parametrize(("schema", "body"), [("v12", V12), ("v13", V13), ("v10", V12)])
def test_every_schema_gives_the_same(schema, body):
    """Names changed, meanings did not."""
    found = told(reading(HEAD.format(schema=schema) + body))
    assert found["accelerator_utilization", "0"] == 0.44
    assert ("memory_controller_utilization", "0") not in found
    assert found["device_memory_used_share", "0"] == 0.5
    assert found["power_share", "0"] == 0.5
    assert found["pcie_link_gen", "0"] == 4.0
    assert found["pcie_tx_rate", "0"] == 4.6e7
    assert found["hw_slowdown_now", "0"] == "true"
    assert found["row_remap_pending", "0"] == "true"
    assert found["processes_on_device", "0"] == 1.0
    assert found["accelerator"] == "NVIDIA A10G"
    assert "mig_enabled" not in found


def test_documents_of_a_loop_are_read_one_after_another():
    """Each document is a sample."""
    found = told(reading(HEAD + V12 + HEAD + V12.replace("44 %", "46 %")))
    assert found["accelerator_utilization", "0"] == pytest.approx(0.45)
    assert found["utilization_samples", "0"] == 2.0


def test_entities_are_refused_and_never_expanded():
    """Declarations are not read, so a bomb of references ends the reading at its first one."""
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n'
    found = reading(bomb + V12.replace("NVIDIA A10G", "&b;"))
    assert codes(found) >= {"entities-refused", "truncated"}
    assert "accelerator" not in told(found)


def test_a_cut_document_keeps_what_came_before():
    """What is whole before the cut is used."""
    found = reading(V12[: V12.index("<power_draw>")])
    assert told(found)["accelerator_utilization", "0"] == 0.44
    assert "truncated" in codes(found)


def test_endless_nesting_ends_the_reading():
    """Deeper than any report is damage."""
    found = reading("<nvidia_smi_log>\n" + "<a>" * 100 + "\n" + "</a>" * 100 + "</nvidia_smi_log>\n")
    assert codes(found) == {"lines-not-understood", "truncated", "no-samples"}


@pytest.mark.parametrize(
    "text",
    [
        '<nvidia_smi_log>\n<gpu id="0">',
        "<nvidia_smi_log>\n" + '<gpu id="0">\n' * 100_000,
        '<nvidia_smi_log>\n<gpu id="0"></gpu>\n<gpu id="1"></wrong>\n',
    ],
)
def test_a_damaged_report_does_not_tell_how_many_devices_there_are(text):
    """More may have followed than are listed; the number that the report itself states is none of a list."""

    def found(text):
        return NvidiaXmlReader().read(Source.of_bytes("gpu.xml", text.encode())).observations

    assert not [each for each in found(text) if each.measurement == "device_count"]
    stated = text.replace("<nvidia_smi_log>", "<nvidia_smi_log>\n<attached_gpus>8</attached_gpus>")
    assert [each.value.lo for each in found(stated) if each.measurement == "device_count"] == [8]
