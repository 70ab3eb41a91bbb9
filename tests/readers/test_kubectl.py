"""Descriptions of pods."""

from __future__ import annotations

from readers.said import codes, read, values

from dam_expert.readers.kubectl import KubectlReader
from dam_expert.readers.source import Source

POD = """\
Name:             trainer-0
Namespace:        secret-team
Status:           Running
Init Containers:
  fetch:
    Container ID:  containerd://a
    Image:         registry/fetch
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
    Ready:          True
    Restart Count:  0
Containers:
  main:
    Container ID:  containerd://b
    Image:         registry/train
    Args:
      --limits
    State:          Running
      Started:      Mon, 01 Jan 2026 10:00:00 +0000
    Last State:     Terminated
      Reason:       {reason}
      Exit Code:    137
    Ready:          True
    Restart Count:  3
    Limits:
      cpu:             7500m
      memory:          64Gi
      nvidia.com/gpu:  8
    Requests:
      cpu:             4
      memory:          64Gi
      nvidia.com/gpu:  8
    Environment:
      TOKEN:          hunter2
      Restart Count:  99
    Mounts:
      /data from data (rw)
  sidecar:
    Image:          registry/log
    State:          Running
    Restart Count:  0
    Limits:
      cpu:     100m
      memory:  128Mi
    Environment:  <none>
Conditions:
  Type              Status
  Ready             True
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  5m    default-scheduler  0/3 nodes are available
"""


def test_limits_restarts_and_kills_are_told():
    """Limits are those of the container that does the work, restarts are told by container."""
    reading = read(KubectlReader(), POD.format(reason="OOMKilled"))
    assert values(reading) == {
        "allocation_state": "host_killed",
        "container_restarts[0]": 0.0,
        "container_restarts[1]": 3.0,
        "container_restarts[2]": 0.0,
        "container_cpu_limit": 7.5,
        "container_cpu_request": 4.0,
        "container_memory_limit": 64 * 2.0**30,
        "device_count": 8.0,
    }
    assert codes(reading) == {"event-failedscheduling"}


def test_the_environment_never_leaves():
    """Names, images, environment and arguments stay in the file."""
    said = repr(read(KubectlReader(), POD.format(reason="OOMKilled")))
    assert not any(word in said for word in ("hunter2", "secret-team", "registry", "99"))


def test_an_exit_code_alone_is_no_lack_of_memory():
    """137 is any kill."""
    assert "allocation_state" not in values(read(KubectlReader(), POD.format(reason="Error")))


def test_a_pod_without_limits_says_so():
    """Nothing to tell is a message."""
    text = "Name:  a\nContainers:\n  main:\n    Container ID:\n    Image:  x\n    Ready:  False\nConditions:\n"
    assert codes(read(KubectlReader(), text)) == {"no-samples"}


def test_other_descriptions_are_left_alone():
    """A description of a node is not claimed."""
    assert not KubectlReader().recognises(Source.of_bytes("n", b"Name:   node-1\nRoles:  <none>\nConditions:\n"))


def test_the_state_of_one_container_is_what_is_pasted():
    """Reports quote the lines that matter."""
    text = "    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Last State:     Terminated\n"
    text += "      Reason:       OOMKilled\n      Exit Code:    137\n    Restart Count:  5\n"
    found = values(read(KubectlReader(), text))
    assert found == {"allocation_state": "host_killed", "container_restarts": 5.0}
