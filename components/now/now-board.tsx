"use client";

import { Radio } from "lucide-react";
import { useMemo, useState } from "react";
import { type Standing, useNotifications } from "@/components/live/notify";
import { EmptyState } from "@/components/ui/empty-state";
import { Foot, Frame } from "@/components/ui/frame";
import { Kbd } from "@/components/ui/kbd";
import { LibraryLink } from "@/components/ui/library-link";
import { LiveDot } from "@/components/ui/running-ring";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { useLiveStatus } from "@/lib/client/live-status";
import { useHealth } from "@/lib/client/use-health";
import { formatPlural } from "@/lib/format/format-count";
import { formatClockSeconds } from "@/lib/format/format-time";
import type { NowTile } from "@/lib/wire/live";
import { LiveBar } from "../live/live-bar";
import { NowSide } from "./now-side";
import { Tile } from "./tile";
import { useBoardKeys } from "./use-board-keys";
import { useNowTiles } from "./use-now-tiles";

const SHOWN = [
  { value: "all", label: "All" },
  { value: "waiting", label: "Waiting" },
  { value: "agents", label: "With agents" },
  { value: "errors", label: "With errors" },
] as const;

type Shown = (typeof SHOWN)[number]["value"];

const PASSES: Record<Shown, (tile: NowTile) => boolean> = {
  all: () => true,
  waiting: ({ live }) => live.state === "waiting",
  agents: ({ agents }) => agents.length > 0,
  errors: ({ summary }) => (summary.toolErrors ?? 0) > 0,
};

const KEYS: [keys: string[], does: string][] = [
  [["j", "k"], "tile"],
  [["↵"], "open at its last row"],
  [["y"], "copy resume command"],
  [["w"], "next waiting"],
  [["?"], "all keys"],
];

/** Every session that runs or waits, side by side and live. */
export function NowBoard() {
  const { stream, tiles: board } = useNowTiles();
  const [shown, setShown] = useState<Shown>("all");
  const [current, setCurrent] = useState(0);
  const status = useLiveStatus(stream.status);
  const watching = useHealth().data?.watching;
  const standings = useMemo(() => board.data?.tiles.map(standingOf), [board.data]);
  useNotifications(standings, true);
  const all = board.data?.tiles ?? [];
  const tiles = all.filter(PASSES[shown]);
  const at = Math.min(current, tiles.length - 1);
  useBoardKeys(tiles, at, setCurrent);
  return (
    <Frame
      top={<Top all={all} live={status.kind === "live"} />}
      foot={
        <Foot
          left={
            <>
              <span className="flex items-center gap-1.5">
                {status.kind === "live" && <LiveDot />}
                Watching {formatPlural(watching?.folders ?? 0, "folder")}
              </span>
              {(watching?.polled ?? 0) > 0 && (
                <span className="text-warn">{watching?.polled} checked every 2 s</span>
              )}
            </>
          }
          keys={KEYS.map(([keys, does]) => (
            <span key={does} className="flex items-center gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
              {does}
            </span>
          ))}
          right={board.dataUpdatedAt > 0 && <span>updated {formatClockSeconds(board.dataUpdatedAt)}</span>}
        />
      }
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <NowSide board={board.data} />
      <main className="flex flex-col">
        <div className="flex h-tool flex-none items-center gap-2 border-b border-line-2 bg-panel px-3 text-12 text-fg-3">
          <span className="flex-1 truncate">waiting first, then by last line</span>
          <Segmented label="Shown" choices={SHOWN} value={shown} onChange={setShown} />
        </div>
        <LiveBar stream={stream} />
        {board.isPending ? (
          <SkeletonRows count={12} label="Loading the running sessions" />
        ) : tiles.length === 0 ? (
          <EmptyState
            icon={Radio}
            title={all.length > 0 ? "None of the running sessions" : "Nothing is running"}
          >
            {all.length > 0
              ? "Choose All to see every session that is running."
              : "A session appears here as soon as Claude Code writes to its log."}
          </EmptyState>
        ) : (
          <div
            role="feed"
            aria-label="Running sessions"
            aria-busy={board.isFetching}
            tabIndex={0}
            className="grid min-h-0 flex-1 auto-rows-min grid-cols-[repeat(auto-fill,minmax(min(100%,520px),1fr))] overflow-y-auto outline-none"
          >
            {tiles.map((tile, index) => (
              <Tile key={tile.summary.id} tile={tile} focused={index === at} />
            ))}
          </div>
        )}
      </main>
    </Frame>
  );
}

function standingOf({ summary: { id, title }, live }: NowTile): Standing {
  return { id, title, state: live.state, asks: live.doing?.kind };
}

function Top({ all, live }: { all: readonly NowTile[]; live: boolean }) {
  const agents = all.reduce((sum, tile) => sum + tile.agents.length, 0);
  const waiting = all.filter((tile) => tile.live.state === "waiting").length;
  const gone = all.filter((tile) => tile.live.gone).length;
  return (
    <>
      <LibraryLink />
      <h1 className="flex-none font-semibold">Now</h1>
      <span className="flex min-w-0 flex-1 gap-3 truncate text-12 text-fg-2 tabular-nums">
        <span>{formatPlural(all.length, "session")}</span>
        {agents > 0 && <span className="max-sm:hidden">{formatPlural(agents, "agent")}</span>}
        {waiting > 0 && (
          <span className="font-semibold text-warn">
            {waiting === 1 ? "1 waits" : `${waiting} wait`} for you
          </span>
        )}
        {gone > 0 && <span className="text-err">{gone} gone</span>}
      </span>
      {live && (
        <span className="flex h-6 flex-none items-center gap-1.5 rounded-2 border border-run px-2 text-12 text-run">
          <LiveDot />
          Live
        </span>
      )}
    </>
  );
}
