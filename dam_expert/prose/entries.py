"""What a file of ``knowledge/prose`` may hold, as models: its words, and what each group of them means."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dam_expert.documents.vocabulary import Track

#: What marks a clause or a word: how its statements are to be taken.
Mark = Literal[
    "negation",  # turns what follows it into its opposite
    "exclusion",  # says of what it stands beside that it is not the cause
    "hedge",  # makes a statement a guess
    "condition",  # speaks of what would be or should be
    "reference",  # the number beside it is wanted, expected, or that of something else
    "wants",  # as written: the number right behind it is wanted
    "hopes",  # a number behind it in its part of the sentence is wanted
    "bound",  # stands between a wish and its number
    "varies",  # of two numbers with "from" and "to" none is the older one
    "part",  # speaks of a part of the job: of one device of several
    "case",  # speaks of another case of the job: another machine of it, another batch
    "elsewhere",  # speaks of other people, machines or examples
    "source",  # people and documents that tell of something, where a word for telling follows
    "tells",  # what they do
    "against",  # begins what something is compared with
    "confounded",  # says that more than one thing was changed between two cases
    "at_once",  # says so where something was done
    "switched",  # says that something is in use
    "values_ahead",  # points at the values that follow
    "values_named",  # names the values of the report, wherever they stand
    "unreal",  # says of a whole report or of its values that they are no measurement of a job as it is
    "wrong",  # says of what it points at that it is not so
    "retracts",  # takes values of the report back by itself
    "corrects",  # does so at the beginning of a sentence
    "real",  # before a measurement: another value than the one that was given
    "measures",  # in a heading: below it stands what was measured
    "forwarded",  # begins what somebody else wrote
    "owned",  # a machine, run or set of values that may be somebody's
    "origin",  # labels where the values of a list come from, or what they are worth
    "small",  # the small end of a setting
    "large",  # its large end
    "remark",  # begins a note about the values around it
    "tried",  # an action was taken
    "helped",
    "nothing",
    "worse",
    "gain",  # what an effect is called: denied, there was none
    "useless",  # says so at the end of a clause
    "persists",  # says that the complaint stays: no effect of what was tried, and no head of a list
    "acted",  # something was done, though not as a trial
    "off",  # takes away what follows it
    "unused",  # behind a feature: it is off
    "not_used",  # of a file or setting: the job does not run with it
    "used",  # behind a negation: that something is in use, or there
    "trouble",  # denied of a component: it is not what the report is about
    "buys",  # something is to be bought
    "filled",  # of a container: full, but beside a share
    "problem",  # behind a denied name: it is not the problem
    "set_off",  # behind the name of an option: it was taken away
    "compared_better",  # an effect, if something was tried
    "compared_same",
    "compared_worse",
    "planned",  # an action is intended
    "neutral",  # says nothing of a measurement that it stands beside in a label
    "statistic",  # which value of many a label speaks of
    "presupposes",  # asks for the reason of what it tells
    "comparing",  # says no more than that two cases were compared
    "contrast",  # begins a clause that says something else
    "total",  # a time that is no part of another one
    "before",  # heads the column of an earlier or other state in a table
    "now",  # heads the column of the present state
]
MARKS: Final[tuple[str, ...]] = get_args(Mark)

Verb = Literal[
    "raise",  # makes more of what it stands beside
    "lower",  # makes less of it
    "set",  # gives it another value, which tells the direction where the former one is known
    "other",  # holds one of those words and means something else
]

Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=120)]], Field(max_length=400)]


class Entry(BaseModel):
    """What every entry is: no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class OfMeasurement(Entry):
    """An entry of one measurement."""

    measurement: str


class AliasModel(OfMeasurement):
    """More names of a measurement that has a number or a word as its value."""

    names: Words = []
    keys: Words = []
    units: Words = []
    """Units that name the measurement by themselves: what is given in them is no other one."""


class PhraseModel(OfMeasurement):
    """Words that state a value of a category, setting or flag."""

    value: str | bool
    words: Words


class TrialModel(OfMeasurement):
    """What the labels of two values of a metric call the two sides of a probe, where they differ by nothing else."""

    names: Words
    """The side that was tried."""
    against: Words = []
    """The side that it is compared with, beside the plain value of the metric."""
    paired: bool = False
    """Whether it is compared with no plain value: only two labels tell the two sides apart."""


class TopicModel(OfMeasurement):
    """Words that show what a report is about; hints count less than words."""

    words: Words = []
    hints: Words = []
    track: Track | None = None
    """The track of a report that is about this more than anything else, and names no metric."""


class AmbiguousModel(Entry):
    """A name or unit with several readings: it becomes a question, never a value."""

    words: Words = []
    units: Words = []
    question: Annotated[str, Field(min_length=1, max_length=300)]
    answer: Annotated[str, Field(min_length=1, max_length=300)]


class LackingModel(OfMeasurement):
    """Words that say, anywhere in a report, that the thing of a flag is not there: nothing is said of it then."""

    words: Words


class ExceptionModel(OfMeasurement):
    """Words that make a phrase of a flag or topic speak of something else, in the same clause."""

    words: Words


class SharedModel(Entry):
    """Measurements that on several devices may be per device or of all, and the words that tell which."""

    measurements: Words
    counts: Words
    """The settings that say how many devices there are."""
    words: Words
    question: Annotated[str, Field(min_length=1, max_length=300)]
    answer: Annotated[str, Field(min_length=1, max_length=300)]


class WholeModel(Entry):
    """A measurement of what is in use, if there is one, and that of what there is: *44 of 46 GB*."""

    part: str = ""
    whole: str
    names: Words


class PercentilesModel(Entry):
    """The measurements that are statistics of one: *p99* beside the name of it."""

    of: str
    names: Words = []
    """More words that name it beside a statistic."""
    statistics: dict[str, str] = {}
    """By statistic (``p50``) its measurement; any other one of it is the name of something else."""


class ChangeModel(Entry):
    """Things that, made more or less, are a lever: *more workers*, *把 worker 调大*."""

    objects: Words
    measurement: str = ""
    """The setting that they are, where there is one."""
    raised: str = ""
    """The lever that making it more is."""
    lowered: str = ""
    """The lever that making it less is."""


class WeightsModel(Entry):
    """How much a word counts towards its topic, by where it stands and how it is said."""

    title: float
    lead: float
    body: float
    heading: float
    code: float
    largest: float
    """A labelled time that is the largest of its list."""
    hint: float
    longer: float
    """What each further word of a phrase adds: a longer one says more surely what is meant."""
    hedged: float
    least: float
    """Weight of the strongest topic below which even that one is not sure."""
    told: float
    """The part of the strongest below which a topic is not worth telling."""


class ConditionModel(OfMeasurement):
    """Things whose absence is the condition of a probe: *without the uploader*, *uploader disabled*."""

    things: Words


class ProseFile(Entry):
    """One file of ``knowledge/prose``."""

    aliases: list[AliasModel] = []
    others: Words = []
    """Names that hold that of a measurement and mean something else: their numbers are no value of it."""
    phrases: list[PhraseModel] = []
    topics: list[TopicModel] = []
    trials: list[TrialModel] = []
    conditions: list[ConditionModel] = []
    other_things: Words = []
    """Names that hold that of such a thing and mean something else."""
    states: dict[Literal["removed", "applied"], Words] = {}
    """Words beside such a thing that say that it is taken away, or that it is there."""
    trial_words: Words = []
    """Words beside a metric or a change that only say of it what it is: no other machine, and no further change."""
    foreign_words: Words = []
    """Words of another machine, person, version or time: beside a change they tell of a second difference."""
    references: Words = []
    """Words of a label for the value of a quality metric that is to be reached."""
    marks: dict[Mark, Words] = {}
    plain_headings: Words = []
    """Headings under which a bare list of values is what was measured of this job, and nothing else."""
    neutral_headings: Words = []
    """Headings that say nothing of the sections below them."""
    neutral_keys: Words = []
    """Keys ahead of a whole text that say nothing of the values in it."""
    neutral_labels: Words = []
    """Labels of a list whose values, whatever they are, say nothing of the values beside them."""
    member_labels: Words = []
    """Labels of one member of a job, where a bare number stands behind them."""
    sampling_words: Words = []
    """Words of a label for how much of a job was looked at."""
    side_words: Words = []
    """Words of a label for one side of a probe, or the other one."""
    innocent_words: dict[Literal["en", "zh", "vi"], Words] = {}
    """Words that say nothing of where the values beside them come from, by language."""
    pointing_words: Words = []
    """Words that point at values of the report."""
    other_texts: Words = []
    """Words that make a text something else than a report of a job."""
    target_words: Words = []
    """Words of a label that say no more than that its value is the target of a metric."""
    comparison_words: Words = []
    """Words of a sentence that tells how the cases of a comparison differ."""
    plain_columns: Words = []
    """Heads of a column of values as they are."""
    name_columns: Words = []
    """Heads of a column of names."""
    tried_headings: Words = []
    """Headings under which stands what was tried on this job, and what it gave."""
    tracks: dict[Track, Words] = {}
    """Words that show what kind of target is missed, where no metric is named."""
    exceptions: list[ExceptionModel] = []
    lacking: list[LackingModel] = []
    ambiguous: list[AmbiguousModel] = []
    shared: list[SharedModel] = []
    wholes: list[WholeModel] = []
    percentiles: list[PercentilesModel] = []
    statistic_words: dict[str, Words] = {}
    """The words for each statistic."""
    changes: list[ChangeModel] = []
    verbs: dict[Verb, Words] = {}
    whole_questions: list[AmbiguousModel] = []
    """What is asked where a part of something is given, and not of what."""
    weights: WeightsModel | None = None
