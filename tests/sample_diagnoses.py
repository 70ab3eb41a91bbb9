"""Diagnoses written by hand, for the tests of reports and of the command line."""

from __future__ import annotations

import dataclasses

from dam_expert.documents.diagnosis import (
    AntiPatternReport,
    AxisStatus,
    Binding,
    BudgetPart,
    BudgetReport,
    Command,
    Diagnosis,
    Evidence,
    HypothesisReport,
    IncidentReference,
    LeverAdvice,
    NextMeasurement,
    ObservationReport,
    ProofNode,
    ProofStep,
    ProofThreshold,
    TargetReport,
    Versions,
)
from dam_expert.documents.kinds import Kind
from dam_expert.reports import Glossary
from dam_expert.reports.wording import Language, load_wording

GLOSSARY = Glossary(
    titles={
        "cached_pass_speedup": "Speed-up of a pass over cached files",
        "input_gap_share": "Input wait in gaps",
        "step_time": "Step time",
    },
    quantities={
        "input_gap_share": ("1", Kind.SHARE),
        "accelerator_utilization": ("1", Kind.SHARE),
        "step_time": ("s", Kind.DURATION),
        "arithmetic_intensity": ("FLOP/B", Kind.LEVEL),
    },
    parts={"input_bound": "input"},
    terms={"input": "data_movement", "copies": "data_movement"},
)

#: Some texts of the samples in other languages; what is not here stays English, as in a base half translated.
TRANSLATIONS = {
    "zh": {
        "The step waits for input": "训练步在等待输入",
        "More loader workers": "增加加载进程",
        "input wait": "等待输入",
        "Speed-up of a pass over cached files": "读取已缓存文件一遍的加速比",
        "It tells reading from decoding.": "它能区分读取与解码。",
    },
    "vi": {
        "The step waits for input": "Bước huấn luyện chờ đầu vào",
        "More loader workers": "Thêm worker nạp dữ liệu",
        "input wait": "chờ đầu vào",
        "Speed-up of a pass over cached files": "Mức tăng tốc khi đọc lại tệp đã đệm",
        "It tells reading from decoding.": "Nó phân biệt việc đọc với việc giải mã.",
    },
}


def glossary_in(language: Language) -> Glossary:
    """Return the glossary of the samples in a language."""
    translations = TRANSLATIONS.get(language, {})
    return dataclasses.replace(GLOSSARY, wording=load_wording(language), translations=translations)


CONFIRM = Evidence(
    rule="input.wait.confirm",
    strength="confirm",
    measurements=["input_gap_share"],
    because="The device stands still while the step waits for its batch.",
)
SUPPORT = Evidence(
    rule="input.low_utilization.support",
    strength="support",
    measurements=["accelerator_utilization"],
    because="The accelerator is idle most of the time.",
    on_trial=True,
)
REFUTE = Evidence(
    rule="memory.busy.refute", strength="refute", measurements=["device_busy_share"], because="The device is idle."
)


def _hypothesis(name: str, **changes: object) -> HypothesisReport:
    given: dict[str, object] = {
        "id": name,
        "title": name.replace("_", " "),
        "parent": None,
        "bottleneck": "input",
        "axes": ["data", "machine"],
        "status": "candidate",
        "score": 0,
        "share": None,
        "recoverable": None,
        "ceiling": None,
        "for": [],
        "against": [],
        "open": [],
    }
    return HypothesisReport.model_validate({**given, **changes})


INPUT = _hypothesis(
    "input_bound",
    title="The step waits for input",
    status="confirmed",
    score=4,
    share=0.457,
    recoverable=0.457,
    ceiling=1.84,
    **{"for": [SUPPORT, CONFIRM]},
)
HOST = _hypothesis(
    "host_bound",
    title="The host launches work too slowly",
    bottleneck="host",
    axes=["machine", "algorithm", "data"],
    status="supported",
    score=2,
    share=0.143,
)
MEMORY = _hypothesis(
    "memory_bound", title="Device memory is too slow", bottleneck="memory", status="refuted", against=[REFUTE]
)

BUDGET = BudgetReport(
    id="training_step",
    of="step",
    total_s=0.1764,
    statistic="mean",
    parts=[
        BudgetPart(id="input", title="input wait", seconds=0.0806, share=0.457, recoverable=0.457),
        BudgetPart(id="device", title="device busy", seconds=(0.06, 0.08), share=(0.34, 0.45), recoverable=None),
        BudgetPart(id="copies", title="exposed copies", seconds=None, share=None, recoverable=None),
    ],
    residual=(0.09, 0.2),
)

PROOF = ProofStep(
    rule="input.wait.confirm",
    title="Input wait leaves the device idle",
    stage="evidence",
    conclusions=["confirm input_bound"],
    strength="full",
    because="The device stands still while the step waits for its batch.",
    place="rules/input.yaml:12",
    source=["appendix table 5 row 1"],
    conditions=ProofNode(
        text="all",
        truth="true",
        children=[
            ProofNode(
                text="input_gap_share >= input_gap_binding",
                truth="true",
                decisive=True,
                value=0.457,
                threshold=ProofThreshold(
                    id="input_gap_binding",
                    value=0.2,
                    grade="decisive",
                    source=["profiler guide, section 3"],
                    place="knowledge/thresholds.yaml:40",
                ),
                observations=["input_gap_share from profile.pt.trace.json (pytorch_trace)"],
            ),
            ProofNode(text="host_cores_masked", truth="unknown"),
        ],
    ),
    unless=[ProofNode(text="partial_capture", truth="false")],
)

NEXT = NextMeasurement(
    measurement="cached_pass_speedup",
    question="How much faster is a second pass over the same files?",
    commands=[
        Command(
            tool="shell",
            command="vmtouch -t /data/train && python train.py --max-steps 200 --epochs 2 --report-step-time --quiet",
            how=None,
        ),
        Command(tool=None, command=None, how="Or run the second epoch with the page cache warm."),
    ],
    effort_minutes=10,
    disturbs="the page cache",
    decides=["storage_bound", "cpu_decode_bound"],
    why="It tells reading from decoding.",
)

CONFIRMED = Diagnosis(
    incident=IncidentReference(id="demo", title="Training is slow", source=["incident.dam.yaml"]),
    target=TargetReport(metric="step_time", actual=0.176, wanted=0.1, higher_is_better=False),
    status="confirmed",
    track="time",
    binding=Binding(
        hypothesis="input_bound",
        title="The step waits for input",
        bottleneck="input",
        axes=["data", "machine"],
        term="data_movement",
        depth="bottleneck",
        share=0.457,
        recoverable=0.457,
        ceiling=1.84,
    ),
    secondary=[],
    axes=[AxisStatus(axis="data", status="confirmed", hypothesis="input_bound", share=0.457)],
    hypotheses=[INPUT, HOST, MEMORY],
    next_measurements=[NEXT],
    levers=[
        LeverAdvice(
            id="more_loader_workers",
            title="More loader workers",
            effect="works",
            ceiling=1.84,
            effort="minutes",
            how="Raise num_workers to the number of free cores.",
            verify_by="The input wait in a new trace is gone.",
            why="It overlaps decoding with the step.",
        ),
        LeverAdvice(
            id="faster_accelerator",
            title="A faster accelerator",
            effect="wasted",
            ceiling=None,
            effort="months",
            how=None,
            verify_by=None,
            why="It would wait longer.",
            planned="buy H100s",
        ),
    ],
    anti_patterns=[
        AntiPatternReport(
            id="wrong_axis", title="Acting on the wrong axis", action="buy H100s", because="The device is not short."
        )
    ],
    budget=BUDGET,
    scorecard=[],
    similar_cases=[],
    observations=[
        ObservationReport(
            measurement="input_gap_share",
            value=0.457,
            given=None,
            basis="tool",
            scope={},
            origin="profile.pt.trace.json",
            tool="pytorch_trace",
            detail="mean over 8 steps",
        )
    ],
    rejected=[
        ObservationReport(
            measurement="mfu",
            value=None,
            given="140 %",
            basis="reported",
            scope={"device": "0"},
            origin="incident.dam.yaml:9",
            tool=None,
            detail=None,
            reason="a share is at most 100 %",
        )
    ],
    unread=["notes.bin: warning: this is no format that is known; leave it out [unknown-format]"],
    proof=[PROOF],
    exhausted=False,
    warnings=[],
    versions=Versions(program="0.1.0", knowledge="3f2a"),
)

SUPPORTED = CONFIRMED.model_copy(
    update={"status": "supported", "binding": None, "hypotheses": [INPUT.model_copy(update={"status": "supported"})]}
)

UNDETERMINED = Diagnosis(
    incident=IncidentReference(id=None, title=None, source=["-"]),
    status="undetermined",
    track="time",
    binding=None,
    secondary=[],
    axes=[],
    hypotheses=[_hypothesis("input_bound", title="The step waits for input")],
    next_measurements=[NEXT],
    levers=[],
    anti_patterns=[],
    budget=None,
    scorecard=[],
    similar_cases=[],
    observations=[],
    rejected=[],
    unread=[],
    proof=[],
    exhausted=False,
    warnings=[],
    versions=Versions(program="0.1.0", knowledge="3f2a"),
)


def _after(total: float, waits: float, **changes: object) -> Diagnosis:
    """Return what is diagnosed once the input no longer binds; ``waits`` are the seconds that it still takes."""
    budget = BudgetReport(
        id="training_step",
        of="step",
        total_s=total,
        statistic="mean",
        parts=[
            BudgetPart(id="input", title="input wait", seconds=waits, share=waits / total, recoverable=None),
            BudgetPart(id="device", title="device busy", seconds=0.07, share=0.07 / total, recoverable=None),
        ],
        residual=(total - waits - 0.07) / total,
    )
    refuted = INPUT.model_copy(update={"status": "refuted", "share": waits / total})
    target = TargetReport(metric="step_time", actual=total, wanted=0.1, higher_is_better=False)
    update = {"budget": budget, "target": target, "binding": None, "status": "supported", "hypotheses": [HOST, refuted]}
    return CONFIRMED.model_copy(update={**update, **changes})


BETTER = _after(0.11, 0.004)
MOVED = _after(0.175, 0.004)
