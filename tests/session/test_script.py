"""The script for a machine on which nothing can be installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from session.dialogue import TRAINING, begun, conversation, dialogue

from dam_expert.documents.diagnosis import Command, Diagnosis, NextMeasurement
from dam_expert.readers.gather import gather
from dam_expert.session.script import TIME_LIMIT_S, script

WORDS = conversation().words(begun())
SHELLS = ("dash", "sh", "bash")


@pytest.fixture(name="text")
def _text() -> str:
    state, _, _ = dialogue(*TRAINING)
    return script(conversation().diagnosis(state), WORDS)


def asking(*commands: str) -> Diagnosis:
    """Return a diagnosis that asks for measurements by these commands, one each."""
    items = [
        NextMeasurement(
            measurement=f"m{number}",
            question="a\nrm -rf /",
            commands=[Command(tool=None, command=command, how=None)],
            effort_minutes=1,
            disturbs="a\necho disturbed",
            decides=[],
            why="",
        )
        for number, command in enumerate(commands)
    ]
    return conversation().diagnosis(begun()).model_copy(update={"next_measurements": items})


def test_a_training_job_has_no_server_to_be_asked() -> None:
    """Commands are those of the kind of job: endpoints of model servers only where something is served."""
    training = conversation().diagnosis(dialogue(*TRAINING)[0])
    serving = conversation().diagnosis(dialogue("2", "p99 is 2.4 s, slo 800 ms")[0])
    assert "localhost" not in script(training, WORDS)
    assert "localhost" in script(serving, WORDS)


def test_a_comparison_of_two_runs_is_left_to_the_person() -> None:
    """What a command prints is no speedup: a probe is not labelled as measured by it."""
    text = script(asking("cat /sys/fs/cgroup/cpu.stat"), WORDS, probes={"m0"})
    assert "\nrun m0" not in text
    assert "#   --set m0=..." in text


def ran(
    text: str, folder: Path, shell: str, tools: dict[str, str], here: tuple[str, ...]
) -> subprocess.CompletedProcess[str]:
    """Run a script where only some tools are: ``tools`` are shell scripts, ``here`` those of this machine."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    home = folder / "bin"
    home.mkdir()
    for name in here:
        (home / name).symlink_to(shutil.which(name) or "/nonexistent")
    for name, body in tools.items():
        (home / name).write_text(f"#!{shutil.which('sh')}\n{body}\n")
        (home / name).chmod(0o755)
    (folder / "run.sh").write_text(text)
    return subprocess.run(
        [found, str(folder / "run.sh"), str(folder / "out")],
        env={"PATH": str(home)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "here", [(), ("mkdir",), ("mkdir", "timeout", "rm", "sh", "sleep")], ids=["nothing", "mkdir", "some"]
)
def test_it_ends_well_where_none_of_the_tools_is(text: str, shell: str, here: tuple[str, ...], tmp_path: Path) -> None:
    """Missing tools are passed over, even those of the shell; the exit code is 0 and the next command is said."""
    done = ran(text, tmp_path, shell, {}, here)
    assert done.returncode == 0
    assert "next: dam diagnose" in done.stderr


@pytest.mark.parametrize(
    "here", [("mkdir", "sh", "sleep"), ("mkdir", "sh", "sleep", "timeout")], ids=["sleep", "timeout"]
)
def test_a_command_that_never_ends_is_ended(here: tuple[str, ...], tmp_path: Path) -> None:
    """Whatever can limit it does; what was printed until then is kept, and the others are run."""
    text = script(asking("nvidia-smi dmon -s t", "vmstat 1 10"), WORDS).replace(f" {TIME_LIMIT_S} ", " 1 ")
    endless = "echo begun; while :; do sleep 1; done"
    done = ran(text, tmp_path, "dash", {"nvidia-smi": endless, "vmstat": "echo second"}, here)
    assert done.returncode == 0
    assert (tmp_path / "out" / "m0.txt").read_text() == "begun\n"
    assert (tmp_path / "out" / "m1.txt").read_text() == "second\n"


def test_what_it_writes_is_read(tmp_path: Path) -> None:
    """The folder is one for ``dam diagnose``: the output of a known tool in it is understood, empty ones are gone."""
    rows = "\n".join(["# gpu    sm   mem", "# Idx     %     %", *["    0    20    10"] * 4])
    text = script(asking("nvidia-smi dmon -s u -c 4", "vmstat 1 10"), WORDS)
    ran(text, tmp_path, "dash", {"nvidia-smi": f"echo '{rows}'", "vmstat": "exit 1"}, ("mkdir", "timeout", "rm", "sh"))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["m0.txt"]
    assert "accelerator_utilization" in {one.measurement for one in gather([tmp_path / "out"]).observations}


def test_texts_cannot_break_out_of_their_comment() -> None:
    """A question with a line break stays one comment, a command is quoted whole."""
    text = script(asking("cat 'it is; $(touch y)'"), WORDS)
    assert "\nrm -rf /" not in text
    assert "\necho disturbed" not in text
    assert """run m0 cat 'cat '"'"'it is; $(touch y)'"'"''""" in text


@pytest.mark.parametrize(
    "command",
    [
        "py-spy dump --pid WORKER_PID",
        "nvidia-smi --gpu-reset",
        "nvidia-smi -pl 200",
        "nvidia-smi dmon -s u -f out.txt",
        "curl -X POST localhost:8000/reset",
        "curl -s example.com",
        "curl -s localhost:8000/metrics -o x",
        "dmesg --clear",
        "cat /proc/stat > /etc/passwd",
        "cat x | sh",
        "cat x; rm y",
        "cat x && reboot",
        "cat $(rm y)",
        "cat `rm y`",
        'cat "$(rm y)"',
        "cat x &",
        "LD_PRELOAD=x cat y",
        "python train.py",
        "with profile() as prof: ...",
    ],
)
def test_what_does_more_than_read_is_left_to_the_person(command: str) -> None:
    """A command that needs a name, changes, sends or writes something is shown in a comment, never run."""
    text = script(asking(command), WORDS)
    assert "\nrun m0" not in text
    assert f"#       {command}" in text
    assert "--set m0=..." in text


@pytest.mark.parametrize(
    "command",
    [
        "nvidia-smi --query-gpu=name --format=csv",
        "nvidia-smi topo -m",
        "curl -s localhost:8000/metrics | grep -E 'a|b'",
        "cat /sys/fs/cgroup/cpu.stat; sleep 30; cat /sys/fs/cgroup/cpu.stat",
        "dmesg -T | grep -i xid",
        "dcgmi dmon -e 1002 -c 60",
        "iostat -x 5 12",
    ],
)
def test_what_only_reads_is_run(command: str) -> None:
    """Samplers and looks into files are run without asking."""
    assert "\nrun m0" in script(asking(command), WORDS)


def test_a_command_is_run_once() -> None:
    """Two measurements by one command are one run."""
    text = script(asking("vmstat 1 10", "vmstat 1 10"), WORDS)
    assert text.count("\nrun ") == 1
    assert "measured above" in text


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_it_speaks_the_language_and_stays_a_script(language: str, tmp_path: Path) -> None:
    """Comments are translated, commands are not, and a POSIX shell still takes it."""
    state, _, _ = dialogue(*TRAINING)
    words = conversation(language).words(begun())
    text = script(conversation().diagnosis(state), words)
    assert words.say("script.by_hand") in text
    assert ran(text, tmp_path, "dash", {}, ("mkdir",)).returncode == 0


def test_the_files_of_the_incident_are_given_again_and_never_expanded(tmp_path: Path) -> None:
    """The last line names them, whatever is in their names."""
    text = script(asking("vmstat 1 10"), WORDS, "'a $(touch hacked).yaml'")
    done = ran(text, tmp_path, "dash", {}, ("mkdir",))
    assert "'a $(touch hacked).yaml'" in done.stderr
    assert not (tmp_path / "hacked").exists()


def first_minute() -> list[tuple[str, str]]:
    """Return what the base runs before suspecting anything."""
    tools = conversation().base.tools.items()
    return [(name, tool.first_minute) for name, tool in tools if tool.first_minute is not None]


def test_the_first_minute_comes_first_and_only_reads(text: str) -> None:
    """Load, memory, disks, the kernel's complaints and the devices are looked at before what is suspected."""
    whole = script(conversation().diagnosis(begun()), WORDS, first=first_minute())
    runs = [line.split()[1] for line in whole.splitlines() if line.startswith("run ")]
    assert runs[: len(first_minute())] == [name for name, _ in first_minute()]
    assert {"vmstat", "iostat", "kernel_log", "nvidia_smi_dmon"} <= set(runs)
    assert "run vmstat" not in text  # only where it is asked for


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("here", [(), ("timeout", "sleep", "mkdir", "rm", "sh")], ids=["nothing", "little"])
def test_the_first_minute_ends_well_where_none_of_the_tools_is(
    shell: str, here: tuple[str, ...], tmp_path: Path
) -> None:
    """Each is passed over, and the exit status is that of success."""
    done = ran(script(conversation().diagnosis(begun()), WORDS, first=first_minute()), tmp_path, shell, {}, here)
    assert done.returncode == 0
    assert done.stderr.count("passed over") >= len(first_minute())
