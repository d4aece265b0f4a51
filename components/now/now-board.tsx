"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Circle, Radio, TextAlignStart } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type ReactNode, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { SideOwnPlaces, SideProjects, SideSearch } from "@/components/library/side-column";
import { useLiveLibrary } from "@/components/library/use-library";
import { LiveBar, waitIcon } from "@/components/live/live-pill";
import { setNotifyRules, useNotifyRules } from "@/components/live/notify";
import { Watching } from "@/components/live/watching";
import { SESSION_DIALOGS } from "@/components/session/session-parts";
import { TabSign } from "@/components/session/tab-sign";
import { PageMenu } from "@/components/share/page-menu";
import { Button } from "@/components/ui/button";
import { CheckField, Segmented } from "@/components/ui/field";
import { Foot, type FootKeys, Frame } from "@/components/ui/frame/frame";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import { Link } from "@/components/ui/link";
import { LiveDot } from "@/components/ui/marks";
import { LibraryLink, NavItem, navItemClass } from "@/components/ui/page-link";
import { PartDialog } from "@/components/ui/part-dialog";
import { EmptyState, FailedState, SkeletonRows } from "@/components/ui/states";
import { Elapsed, Moment } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { openPageDialog, usePageDialog } from "@/lib/client/address/page-dialogs";
import { api } from "@/lib/client/api";
import { useLiveStatus } from "@/lib/client/connection/live-stream";
import { usePagePart } from "@/lib/client/page-part";
import { setPreferences, usePreferences } from "@/lib/client/preferences";
import { throttled } from "@/lib/client/throttle";
import { useHealth } from "@/lib/client/use-health";
import {
  formatClock,
  formatClockSeconds,
  formatCount,
  formatElapsed,
  formatPlural,
} from "@/lib/format/format";
import type { SessionSummary } from "@/lib/wire/library";
import { failedCalls } from "@/lib/wire/library-columns";
import type { LiveEvent, NowResponse, NowTile } from "@/lib/wire/live";
import { NowList } from "./now-list";
import { NowStates } from "./now-states";
import { nowHref, Tile } from "./tile";
import { useBoardKeys, useBoardPlace } from "./use-board-keys";

const SHOWN = [
  { value: "all", label: "All" },
  { value: "waiting", label: "Waiting" },
  { value: "agents", label: "With agents" },
  { value: "errors", label: "With errors" },
] as const;

/** In the address, so that Back, a reload and a link find it again. */
const SHOWN_PARSER = parseAsStringLiteral(SHOWN.map(({ value }) => value)).withDefault("all");

const VIEWS = [
  { value: "tiles", label: "Tiles" },
  { value: "list", label: "List" },
] as const;

type Shown = (typeof SHOWN)[number]["value"];

const PASSES: Record<Shown, (tile: NowTile) => boolean> = {
  all: () => true,
  waiting: ({ live }) => live.state === "waiting",
  agents: ({ agents }) => agents.length > 0,
  errors: ({ summary }) => (failedCalls(summary) ?? 0) > 0,
};

const KEYS: FootKeys = [
  [["j", "k"], "session"],
  [["↵"], "open at its last row"],
  [["y"], "resume"],
  [["w"], "next waiting"],
  [["?"], "all keys"],
];

/** What there is to know of a session on the board: opened where the command that resumes it is not enough. */
function AboutTile() {
  const dialog = usePageDialog();
  const id = dialog !== null && typeof dialog === "object" && "about" in dialog ? dialog.about : null;
  const part = usePagePart(SESSION_DIALOGS, id !== null);
  const close = () => openPageDialog(null);
  if (id === null) return null;
  if (!part.code) return <PartDialog part={part} title="About this session" onClose={close} />;
  return <part.code.AboutListedSession id={id} onClose={close} />;
}

/** Every session that is running or waiting, side by side and live. */
export function NowBoard() {
  const { stream, tiles: board } = useNowTiles();
  const [shown, setShown] = useQueryState("show", SHOWN_PARSER);
  const { now: view } = usePreferences();
  const status = useLiveStatus(stream.status);
  const polled = useHealth().data?.watching.polled ?? 0;
  const all = board.data?.tiles ?? [];
  const tiles = all.filter(PASSES[shown]);
  const { at, choose, box } = useBoardPlace(tiles);
  useBoardKeys(tiles, at, choose);
  return (
    <Frame
      top={<Top all={board.data?.tiles ?? null} live={status.kind === "live"} />}
      foot={
        <Foot
          left={
            <>
              <Watching />
              {polled > 0 && (
                <span className="text-warn">{formatPlural(polled, "folder")} polled every 2 s</span>
              )}
            </>
          }
          keys={KEYS}
          right={board.dataUpdatedAt > 0 && <span>updated {formatClockSeconds(board.dataUpdatedAt)}</span>}
        />
      }
      bodyClass="grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]"
    >
      <BoardSign tiles={all} />
      <NowSide board={board.data} />
      <AboutTile />
      <main className="flex flex-col">
        <div className="flex h-tool flex-none items-center gap-2 border-b border-line-2 bg-panel px-3 text-12 text-fg-3 max-sm:justify-between">
          <span className="flex-1 truncate max-sm:hidden">Waiting first, then latest activity</span>
          <Segmented label="Shown" choices={SHOWN} value={shown} onChange={(value) => void setShown(value)} />
          <Segmented label="View" choices={VIEWS} value={view} onChange={(now) => setPreferences({ now })} />
        </div>
        <LiveBar stream={stream} />
        {board.isPending ? (
          <SkeletonRows count={12} label="Loading the running sessions" />
        ) : board.error && !board.data ? (
          <FailedState
            title="Couldn’t load the running sessions"
            error={board.error}
            onRetry={() => void board.refetch()}
          />
        ) : tiles.length === 0 ? (
          <EmptyState icon={Radio} title={all.length > 0 ? "No matching sessions" : "No running sessions"}>
            {all.length > 0
              ? "Choose All to see every running session."
              : "A session appears here as soon as Claude Code writes to its log."}
          </EmptyState>
        ) : view === "list" ? (
          <NowList tiles={tiles} at={at} box={box} />
        ) : (
          <div
            {...box}
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
        <SessionsBeside board={board.data} />
      </main>
    </Frame>
  );
}

/** The title and icon of the board’s tab: how many sessions wait for the reader, who may be in another tab. */
function BoardSign({ tiles }: { tiles: readonly NowTile[] }) {
  const waiting = tiles.filter(({ live }) => live.state === "waiting").length;
  const isRunning = tiles.some(({ live }) => live.state === "running");
  const title = waiting > 0 ? `${formatCount(waiting)} waiting for you · Running` : "Running";
  return <TabSign title={title} state={waiting > 0 ? "waiting" : isRunning ? "running" : null} />;
}

/** Sessions in which nothing goes on, where there is no side column to list them. */
function SessionsBeside({ board }: { board: NowResponse | undefined }) {
  if (!board || board.open.length + board.ended.length === 0) return null;
  return (
    <section
      aria-label="Open or ended in the last hour"
      className="max-h-[40%] flex-none overflow-auto border-t border-line-2 md:hidden"
    >
      <BesideLinks board={board} />
    </section>
  );
}

/** First those that are open in a terminal, as their clients say, then those that have ended. */
function BesideLinks({ board }: { board: NowResponse | undefined }) {
  return (
    <>
      <LastActiveLinks heading="Open, nothing running" sessions={board?.open ?? []} />
      <LastActiveLinks heading="Ended in the last hour" sessions={board?.ended ?? []} />
    </>
  );
}

/** @param sessions with when each was last active */
function LastActiveLinks({ heading, sessions }: { heading: string; sessions: readonly SessionSummary[] }) {
  return (
    <>
      {sessions.length > 0 && <Heading>{heading}</Heading>}
      {sessions.map(({ id, title, lastActiveAtMs }) => (
        <SideLink
          key={id}
          href={`/sessions/${encodeURIComponent(id)}`}
          note={lastActiveAtMs === null ? "" : <Moment atMs={lastActiveAtMs} clock={formatClock} />}
        >
          <VisibleText text={title} />
        </SideLink>
      ))}
    </>
  );
}

/** `all`: null while that is not known. */
function Top({ all: known, live }: { all: readonly NowTile[] | null; live: boolean }) {
  const all = known ?? [];
  const agents = all.reduce((sum, tile) => sum + tile.agents.length, 0);
  const waiting = all.filter((tile) => tile.live.state === "waiting").length;
  const gone = all.filter((tile) => tile.live.gone).length;
  return (
    <>
      <LibraryLink />
      <h1 className="flex-none font-semibold">Running</h1>
      <span className="flex min-w-0 flex-1 gap-3 truncate text-12 text-fg-2 tabular-nums">
        <span className={clsx(waiting + gone > 0 && "max-sm:hidden")}>
          {known && formatPlural(all.length, "session")}
        </span>
        {agents > 0 && <span className="max-sm:hidden">{formatPlural(agents, "agent")}</span>}
        {waiting > 0 && (
          <span className="font-semibold text-warn">{formatCount(waiting)} waiting for you</span>
        )}
        {gone > 0 && <span className="text-err">{formatCount(gone)} stopped</span>}
      </span>
      {live && (
        <span className="flex h-6 flex-none items-center gap-1.5 rounded-2 border border-run px-2 text-12 text-run">
          <LiveDot />
          Live
        </span>
      )}
      <PageMenu />
    </>
  );
}

/** Tiles show single calls, so they are refetched after every change, but not for every line of a burst. */
const REFETCH_MS = 400;
/** The first answer opens sessions and may take seconds: the next must not wait several times as long. */
const REFETCH_REST = 1;
const SCAN_POLL_MS = 1_000;
/** Sessions that have ended or stopped leave the board after an hour, without an event. */
const ENDED_POLL_MS = 60_000;

/** Every running or waiting session. States come straight from the stream; rows are refetched as they are written. */
function useNowTiles() {
  const client = useQueryClient();
  const [states] = useState(() => new NowStates());
  const [onEvent] = useState(() => {
    const refetch = throttled(
      REFETCH_MS,
      () => client.invalidateQueries({ queryKey: ["now"] }),
      REFETCH_REST,
    );
    return (event: LiveEvent | null) => {
      const changed = event?.kind === "state" ? [event.state] : event?.kind === "hello" ? event.states : [];
      for (const state of changed)
        client.setQueryData<NowResponse>(["now"], (board) => states.apply(board, state));
      refetch();
    };
  });
  const stream = useLiveLibrary(onEvent);
  const tiles = useQuery({
    queryKey: ["now"],
    queryFn: ({ signal }) => states.fetch(() => api.now({ signal })),
    refetchInterval: ({ state }) => state.data !== undefined && pollMs(state.data),
  });
  return { stream, tiles };
}

/** How often the board is refetched without an event; `false` for never. */
function pollMs({ tiles, ended }: NowResponse): number | false {
  // Tiles without a prompt and rows belong to sessions that are being read for the first time.
  if (tiles.some(({ turn, rows }) => turn === null && rows.length === 0)) return SCAN_POLL_MS;
  return ended.length > 0 || tiles.some(({ live }) => live.gone) ? ENDED_POLL_MS : false;
}

/** The board's side column: navigation, who is waiting, what has ended, and whether notifications are on. */
function NowSide({ board }: { board: NowResponse | undefined }) {
  const rules = useNotifyRules();
  const tiles = board?.tiles ?? [];
  const waiting = tiles.filter(({ live }) => live.state === "waiting");
  const wish = (name: "waits" | "ends") => async (on: boolean) => {
    if (!(await setNotifyRules({ [name]: on }))) toast("The browser blocks notifications", "err");
  };
  return (
    <aside
      aria-label="Sessions"
      className="flex flex-col overflow-hidden border-r border-line-2 bg-panel max-md:hidden"
    >
      <SideSearch />
      <nav aria-label="Places" tabIndex={-1} className="min-h-0 flex-1 overflow-auto py-1">
        <SideLink
          href="/now"
          mark={tiles.length > 0 ? <LiveDot /> : <Icon of={Circle} small className="text-spine" />}
          note={board && formatCount(tiles.length)}
          current
        >
          Running
        </SideLink>
        <SideLink href="/" mark={<Icon of={TextAlignStart} />}>
          All sessions
        </SideLink>
        <SideOwnPlaces />
        {waiting.length > 0 && <Heading>Waiting for you</Heading>}
        {waiting.map((tile) => (
          <SideLink
            key={tile.summary.id}
            href={nowHref(tile)}
            mark={<Icon of={waitIcon(tile.live.doing)} small className="text-warn" />}
            note={<Elapsed sinceMs={tile.live.sinceMs} format={formatElapsed} />}
          >
            <VisibleText text={tile.summary.title} />
          </SideLink>
        ))}
        <BesideLinks board={board} />
        <SideProjects />
      </nav>
      <div className="flex flex-col gap-1 border-t border-line px-3 py-2 text-12 text-fg-2">
        <CheckField checked={rules.waits} onChange={(on) => void wish("waits")(on)}>
          Notify me when one needs input
        </CheckField>
        <CheckField checked={rules.ends} onChange={(on) => void wish("ends")(on)}>
          Notify me when one ends
        </CheckField>
        <Button kind="quiet" className="-ml-2 self-start" onClick={() => openPageDialog("notifications")}>
          All notifications <Kbd>B</Kbd>
        </Button>
      </div>
    </aside>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">{children}</h2>;
}

function SideLink({
  href,
  mark,
  note,
  current,
  children,
}: {
  href: string;
  mark?: ReactNode;
  note?: ReactNode;
  current?: boolean;
  children: ReactNode;
}) {
  return (
    <Link href={href} aria-current={current ? "page" : undefined} className={navItemClass(current === true)}>
      <NavItem mark={mark} note={note}>
        {children}
      </NavItem>
    </Link>
  );
}
