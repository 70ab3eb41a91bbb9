"""What lines of ``NCCL_DEBUG=INFO`` say: transport, network, direct access to device memory, channels.

``P2P/…`` means direct access between devices of a host and does not tell NVLink from PCIe; what a log shows of one
host says nothing of the path between hosts. So the transport of the collectives is told where channels over a network
are listed, or where the log itself says that there is one host only.

>>> facts = LogFacts()
>>> _ = facts.take(1, "h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA")
>>> facts.transport
'infiniband_gdr'
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

LINE = re.compile(r"\bNCCL (INFO|WARN)\b (.*)$|\b\w+\.(?:cc|cu|h):\d+ NCCL (WARN) (.*)$")
"""A line of the library; the second group is what it says."""

_VIA = re.compile(r"\bvia (NET/[\w ]+|P2P|SHM|COLLNET)(/\S*)?")
_NETWORK = re.compile(r"^Using network (.+?)\s*$")
_VERSION = re.compile(r"\bNCCL version (\d[\w.+-]{0,40})")
_RANKS = re.compile(r"\bn[Rr]anks (\d{1,7})\b")
_NODES = re.compile(r"\bnNodes (\d{1,6})\b")
_CHANNELS = re.compile(r"^(\d{1,4}) coll channels, (?:.*?(\d{1,4}) nvls channels)?")
_RING = re.compile(r"^Channel \d+/(\d{1,4}) :(?:\s+\d+)+\s*$")
_DIRECT = re.compile(r"^Connected all rings.*\bGDR ([01])\b")
_CARD = re.compile(r"NET/IB : Using .*/(IB|RoCE)\b")
_DISABLED = re.compile(r"^NCCL_(?:IB_DISABLE|P2P_DISABLE|SHM_DISABLE) set by environment to [1-9]")

_NETWORKS = (
    (re.compile(r"socket", re.IGNORECASE), "socket"),
    (re.compile(r"libfabric|ofi|efa", re.IGNORECASE), "libfabric"),
    (re.compile(r"^ib", re.IGNORECASE), "infiniband"),
)


@dataclasses.dataclass(slots=True)
class LogFacts:
    """What the lines so far say; ``lines`` keeps where each thing stood first."""

    networks: set[str] = dataclasses.field(default_factory=set)
    over: dict[str, set[bool]] = dataclasses.field(default_factory=dict)
    """Networks that channels use, and whether with direct access to device memory."""
    within: set[str] = dataclasses.field(default_factory=set)
    """How channels within a host go: P2P, SHM."""
    cards: set[str] = dataclasses.field(default_factory=set)
    version: str | None = None
    ranks: int = 0
    nodes: int = 0
    channels: int = 0
    multicast: int = 0
    direct: set[bool] = dataclasses.field(default_factory=set)
    disabled: bool = False
    warnings: int = 0
    seen: int = 0
    lines: dict[str, int] = dataclasses.field(default_factory=dict)

    def take(self, line: int, text: str) -> bool:
        """Take a line, or return False where it is not one of the library's."""
        found = LINE.search(text)
        if found is None:
            return False
        self.seen += 1
        level, said = found[1] or found[3], (found[2] or found[4] or "").strip()
        if level == "WARN":
            self.warnings += 1
            self._at("warning", line)
        self._about_paths(line, said)
        self._about_sizes(line, said)
        return True

    def _at(self, what: str, line: int) -> None:
        self.lines.setdefault(what, line)

    def _about_paths(self, line: int, said: str) -> None:
        if via := _VIA.search(said):
            if via[1].startswith("NET/"):
                self.over.setdefault(_network(via[1].removeprefix("NET/")), set()).add("GDRDMA" in (via[2] or ""))
                self._at("over", line)
            elif via[1] in {"P2P", "SHM"}:
                self.within.add(via[1])
                self._at("within", line)
        elif network := _NETWORK.match(said):
            self.networks.add(_network(network[1]))
            self._at("network", line)
        elif card := _CARD.search(said):
            self.cards.add(card[1])
        elif direct := _DIRECT.match(said):
            self.direct.add(direct[1] == "1")
            self._at("direct", line)
        elif _DISABLED.match(said):
            self.disabled = True
            self._at("disabled", line)

    def _about_sizes(self, line: int, said: str) -> None:
        if version := _VERSION.search(said):
            self.version = self.version or version[1]
            self._at("version", line)
        if ranks := _RANKS.search(said):
            self.ranks = max(self.ranks, int(ranks[1]))
            self._at("ranks", line)
        if nodes := _NODES.search(said):
            self.nodes = max(self.nodes, int(nodes[1]))
            self._at("nodes", line)
        if channels := _CHANNELS.match(said):
            self.channels = max(self.channels, int(channels[1]))
            self.multicast = max(self.multicast, int(channels[2] or 0))
            self._at("channels", line)
        elif ring := _RING.match(said):
            self.channels = max(self.channels, int(ring[1]))
            self._at("channels", line)

    @property
    def network(self) -> str | None:
        """The slowest network that is named, None without any."""
        named = set(self.over) or self.networks
        order = ("socket", "other", "libfabric", "infiniband")
        slowest = next((each for each in order if each in named), None)
        return "roce" if slowest == "infiniband" and self.cards == {"RoCE"} else slowest

    @property
    def transport(self) -> str | None:
        """The transport of the collectives where the log shows it, the slowest of several."""
        network = self.network if self.over or self.nodes > 1 else None
        if network == "socket":
            return "socket"
        if network in {"infiniband", "roce"}:
            return "infiniband_gdr" if self.gpu_direct else "infiniband"
        if network is not None or self.nodes != 1:
            return None
        if "SHM" in self.within:
            return "shared_memory"
        return "nvlink" if self.multicast and "P2P" in self.within else None

    @property
    def gpu_direct(self) -> bool | None:
        """Whether every channel over a network reaches device memory directly; None where no network is in use."""
        if self.over:
            return set[bool]().union(*self.over.values()) == {True}
        return self.direct == {True} if self.direct and self.nodes > 1 else None

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield what is known."""

        def word(measurement: str, value: str | None, at: str, detail: str) -> Iterator[Observation]:
            if value is not None:
                yield tell.observe(measurement, value, line=self.lines.get(at), detail=detail)

        def count(measurement: str, value: int, at: str, detail: str) -> Iterator[Observation]:
            if value:
                yield tell.observe(measurement, Interval.point(value), line=self.lines.get(at), detail=detail)

        yield from word("collective_transport", self.transport, "over" if self.over else "within", "channel lines")
        yield from word("collective_network", self.network, "over" if self.over else "network", "network that is named")
        direct = self.gpu_direct
        said = None if direct is None else "true" if direct else "false"
        yield from word("gpu_direct_rdma", said, "over", "channels over the network")
        kinds = {"P2P": "peer_to_peer", "SHM": "shared_memory"}
        within = kinds[next(iter(self.within))] if len(self.within) == 1 else "mixed" if self.within else None
        yield from word("peer_transport", within, "within", "channels within a host")
        yield from word("fast_path_disabled", "true" if self.disabled else None, "disabled", "environment of the job")
        yield from word("collective_library_version", self.version, "version", "as the library says")
        yield from count("world_size", self.ranks, "ranks", "largest communicator")
        yield from count("node_count", self.nodes, "nodes", "largest communicator")
        yield from count("collective_channels", self.channels, "channels", "largest communicator")

    def messages(self, tell: Teller) -> Iterator[Message]:
        """Yield what the library itself complains of, without its words: they name hosts and addresses."""
        if self.warnings:
            text = f"the library warns {self.warnings} times"
            yield tell.note("library-warnings", text, hint="look at the first", line=self.lines.get("warning"))


def _network(name: str) -> str:
    return next((kind for pattern, kind in _NETWORKS if pattern.search(name.strip())), "other")
