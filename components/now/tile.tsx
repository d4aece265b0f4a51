import { clsx } from "clsx";
import { Circle, TriangleAlert } from "lucide-react";
import { VisibleText } from "@/components/content/text/visible-text";
import { stateWord, waitIcon } from "@/components/live/live-pill";
import { ResumeButton } from "@/components/session/resume-button";
import { asksPerson } from "@/components/thread/rail/rail-node";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { RunningRing } from "@/components/ui/marks";
import { Elapsed, Moment } from "@/components/ui/time";
import {
  formatClockSeconds,
  formatCompact,
  formatElapsed,
  formatFailures,
  formatPercent,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { failedCalls } from "@/lib/wire/library-columns";
import type { AskedQuestion, LiveState, NowTile } from "@/lib/wire/live";
import { TileAgent, TileRow } from "./tile-row";

const COMPACTS_SOON = 0.85;

/** One running session: its state, prompt, last rows and facts. */
export function Tile({ tile, focused }: { tile: NowTile; focused: boolean }) {
  const { summary, live, turn, agents } = tile;
  const waits = live.state === "waiting";
  // A running agent has a line of its own, which says more than its call does.
  const out = new Set(agents.map(({ agentId }) => agentId));
  const asks = waits && tile.questions !== null;
  const rows = tile.rows.filter(
    (row) =>
      row.kind !== "tool" ||
      // Its question is below, with the options.
      !((row.agent && out.has(row.agent.agentId)) || (asks && asksPerson(row))),
  );
  return (
    <article
      aria-label={labelHidden(summary.title)}
      data-session-id={summary.id}
      tabIndex={focused ? 0 : -1}
      className={clsx(
        "flex min-h-[268px] min-w-0 flex-col border-r border-b border-line-2 outline-none",
        focused && "outline-2 -outline-offset-2! outline-accent outline-solid",
      )}
    >
      <header
        className={clsx(
          "flex h-8 items-center gap-2 border-b border-line bg-panel px-3 whitespace-nowrap",
          waits && "border-l-2 border-l-warn",
        )}
      >
        <Sign live={live} />
        <Link href={nowHref(tile)} className="min-w-0 truncate font-semibold hover:underline">
          <VisibleText text={summary.title} />
        </Link>
        <span className="ml-auto max-w-[35%] flex-none truncate text-12 text-fg-2">
          <VisibleText text={folderName(tile.project)} />
          {summary.gitBranch && (
            <span className="font-mono max-sm:hidden">
              {" · "}
              <VisibleText text={summary.gitBranch} />
            </span>
          )}
        </span>
        <span className={clsx("ml-2 flex-none text-12 font-semibold tabular-nums", TONES[live.state])}>
          {stateWord(live)?.toLowerCase()}{" "}
          <Elapsed sinceMs={live.doing?.sinceMs ?? live.sinceMs} format={formatElapsed} />
        </span>
      </header>
      {turn && (
        <div className="relative flex min-h-7 items-center gap-2 border-b border-line pr-3 pl-[3px] whitespace-nowrap pointer-coarse:py-1">
          <span className="inline-flex h-[17px] min-w-6 justify-center rounded-1 bg-fg px-1 text-11 leading-[17px] text-bg tabular-nums">
            {turn.number}
          </span>
          <span
            title={labelHidden(turn.prompt)}
            // No pointer shows a title on a touch screen.
            className="min-w-0 flex-1 truncate pointer-coarse:whitespace-pre-wrap pointer-coarse:[overflow-wrap:anywhere]"
          >
            <VisibleText text={turn.prompt} />
          </span>
          {turn.atMs !== null && <Moment atMs={turn.atMs} className="text-11 text-fg-3 tabular-nums" />}
        </div>
      )}
      {/* Read from the prompt down. If a neighbour is taller, the free space is below. */}
      <div className="flex-1">
        <div data-tile-rows="" className="relative py-1">
          {turn && rows.length + agents.length > 0 && <Spine />}
          {rows.map((row) => (
            <TileRow key={row.key} row={row} />
          ))}
          {live.doing?.partial && (
            <pre className="max-h-14 overflow-hidden pl-[38px] text-12 text-fg-2">
              {lastLines(stripAnsi(live.doing.partial))}
            </pre>
          )}
          {agents.map((agent) => (
            <TileAgent key={agent.agentId} agent={agent} />
          ))}
        </div>
      </div>
      {asks && tile.questions && <Questions questions={tile.questions} />}
      {(waits || live.gone) && <Ask tile={tile} />}
      <Facts tile={tile} />
    </article>
  );
}

/** The line from the prompt down to the current step. */
function Spine() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute top-0 bottom-4 left-[14px] w-[2px] bg-spine/60"
    />
  );
}

export const TONES: Record<LiveState["state"], string> = {
  running: "text-run",
  waiting: "text-warn",
  interrupted: "text-err",
  unknown: "text-fg-2",
  idle: "text-fg-2",
  ended: "text-fg-2",
};

/** The mark of a session’s state: waiting, interrupted, running, or none of these. */
export function Sign({ live }: { live: LiveState }) {
  if (live.state === "waiting") return <Icon of={waitIcon(live.doing)} small className="text-warn" />;
  if (live.state === "interrupted") return <Icon of={TriangleAlert} small className="text-err" />;
  if (live.state !== "running") return <Icon of={Circle} small className="text-spine" />;
  return (
    <span className="flex flex-none text-run">
      <RunningRing />
    </span>
  );
}

/** The question, and the possible answers. */
function Questions({ questions }: { questions: readonly AskedQuestion[] }) {
  return (
    <div className="border-t border-line py-1.5 pr-3 pl-[38px] text-12">
      {questions.map(({ question, header, options, multiple }, index) => (
        <section key={index} aria-label={labelHidden(header ?? "Question")} className="not-first:mt-2">
          <p className="font-semibold">
            {question}
            {multiple && <span className="font-normal text-fg-3"> choose any</span>}
          </p>
          <ul className="mt-0.5">
            {options.map(({ label, description }) => (
              <li key={label} className="flex min-h-[22px] items-center gap-2">
                <span
                  aria-hidden="true"
                  className={clsx(
                    "size-2.5 flex-none border border-fg-3",
                    multiple ? "rounded-[2px]" : "rounded-full",
                  )}
                />
                <span className="flex-none">{label}</span>
                {description && <span className="min-w-0 truncate text-fg-3">{description}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Says where to answer, since this page can't. */
function Ask({ tile }: { tile: NowTile }) {
  const { live, summary, resumeCommand, resumeProblem } = tile;
  return (
    <div className="border-t border-line py-1.5 pr-3 pl-[38px] text-12 text-fg-2">
      <p>
        {live.gone ? (
          <>
            <span className="font-semibold text-err">
              {live.checked ? "Its process has ended." : "No activity for a long time."}
            </span>{" "}
            Nothing was logged
            {live.lastLineAtMs === null ? "" : ` after ${formatClockSeconds(live.lastLineAtMs)}`}.
          </>
        ) : (
          // A pid from another container's namespace means nothing on this machine.
          <>
            {live.state === "waiting" && live.doing === null && "What it waits for is not in the log. "}
            {live.checked
              ? `Answer in its terminal${live.pid === null ? "" : `: pid ${live.pid}`}`
              : "Last known state. Answer in its terminal if it is still open; its process can’t be checked from here"}
          </>
        )}
      </p>
      <p className="mt-1 flex gap-2">
        <ResumeButton resumeCommand={resumeCommand} resumeProblem={resumeProblem} listed={summary.id} />
        <Link
          href={nowHref(tile)}
          className="inline-flex h-control items-center rounded-2 border border-line-2 px-2 text-fg hover:bg-raised"
        >
          Open at this row
        </Link>
      </p>
    </div>
  );
}

function Facts({ tile: { summary, live } }: { tile: NowTile }) {
  const { contextTokens, contextLimit, lastLineAtMs } = live;
  const share =
    contextTokens !== null && contextLimit !== null ? Math.min(1, contextTokens / contextLimit) : null;
  const full = share !== null && share > COMPACTS_SOON;
  const failed = failedCalls(summary);
  return (
    <footer className="flex h-6 items-center gap-3 border-t border-line px-2 text-11 whitespace-nowrap text-fg-2 tabular-nums">
      {share !== null && contextLimit !== null && (
        <span className={clsx("flex items-center gap-1.5", full && "text-warn")}>
          <span aria-hidden="true" className="h-1 w-16 bg-line-2">
            <span
              className={clsx("block h-full", full ? "bg-warn" : "bg-fg-2")}
              style={{ width: `${share * 100}%` }}
            />
          </span>
          <span className="sr-only">Context used:</span>
          {formatPercent(share)} of {formatCompact(contextLimit)}
        </span>
      )}
      {summary.turns !== null && <span className="max-sm:hidden">{formatPlural(summary.turns, "turn")}</span>}
      {summary.toolCalls !== null && <span>{formatPlural(summary.toolCalls, "tool")}</span>}
      {summary.tokens ? <span className="max-sm:hidden">{formatTokens(summary.tokens)}</span> : null}
      {failed !== null && (
        <span className={failed > 0 ? "font-semibold text-err" : "text-fg-3"}>
          {formatPlural(failed, "error")}
        </span>
      )}
      {(summary.toolsDenied ?? 0) > 0 && (
        <span className="text-warn">{formatFailures(0, summary.toolsDenied ?? 0)}</span>
      )}
      <span className="ml-auto text-fg-3">
        {full && "compacts soon · "}
        {lastLineAtMs !== null && (
          <>
            last line <Elapsed sinceMs={lastLineAtMs} format={formatElapsed} /> ago
          </>
        )}
      </span>
    </footer>
  );
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-3).join("\n");
}

/** Link to the end of a session, in follow mode. */
export function nowHref({ summary, live }: Pick<NowTile, "summary" | "live">): string {
  const path = `/sessions/${encodeURIComponent(summary.id)}`;
  // A call that never ended is linked directly: there is nothing left to follow.
  return live.gone && live.doing?.recordId ? `${path}?at=${live.doing.recordId}` : `${path}?follow=1`;
}
