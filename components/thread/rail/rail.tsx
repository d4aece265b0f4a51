import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ReactNode, useContext, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { agentsQuery } from "@/components/thread/agents-query";
import { LANE_PATHS, LANE_TEXT, laneIndex } from "@/components/ui/marks";
import { ApiError } from "@/lib/client/connection/api-error";
import { formatCompact, formatDuration, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type ForkRow, LANE_COLUMNS, type Row, type RowLane } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import { formatNode, type NodeShape, RailNode, RailRowContext } from "./rail-node";

const DOTS: Partial<Record<NodeShape["shape"], string>> = {
  tool: "spine-tool",
  text: "spine-text",
  thinking: "spine-thinking",
};

/** The column left of a row: the spine at its fixed position, the lanes of running agents, and the row's node. */
export function Rail({
  node,
  lane = 0,
  broken = false,
  opens = false,
  children,
}: {
  node: NodeShape;
  /** The lane whose spine this is: 0 for the main thread, else an agent's. */
  lane?: number;
  /** Interrupts the spine for a node such as a compaction. */
  broken?: boolean;
  /** The row may have content open below its line; the rail extends beside that too. */
  opens?: boolean;
  children?: ReactNode;
}) {
  const row = useContext(RailRowContext);
  const lanes = row?.lanes ?? [];
  const passing = row?.passing ?? 0;
  const hasLanes = lanes.length > 0 || passing > 0;
  const fork = row?.fork;
  const colour = LANE_TEXT[laneIndex(row?.spine ?? lane)];
  const above = LANE_TEXT[laneIndex(fork?.spineAbove ?? lane)];
  const endsHere = fork !== undefined && endsAt(fork);
  // Most nodes are dots, which are drawn with the spine: an SVG would add two elements to each row.
  const dot = !hasLanes && !fork && !broken ? DOTS[node.shape] : undefined;
  // A leaving agent's shape is drawn in its own column instead.
  const own =
    node.shape === "agent-call" ? lanes.findLast(([, , phase]) => phase === 1 || phase === 3) : undefined;
  const drawn = (
    <>
      {fork && (
        <>
          <span
            className={clsx("absolute top-0 left-(--spine-x) -ml-px h-3 border-l-2 border-current", above)}
          />
          {!endsHere && (
            <span
              className={clsx(
                "absolute top-3 bottom-0 left-(--spine-x) -ml-px border-l-2 border-current",
                colour,
              )}
            />
          )}
          <ForkStubs branches={fork.branches} />
        </>
      )}
      {broken && (
        <span className={colour}>
          <span className="absolute top-0 left-(--spine-x) -ml-px h-4 border-l-2 border-current" />
          <span className="absolute top-4 left-[calc(var(--spine-x)-8px)] h-2 w-4 border-y-2 border-fg-2" />
          <span className="absolute top-6 bottom-0 left-(--spine-x) -ml-px border-l-2 border-current" />
        </span>
      )}
      <RailLanes lanes={lanes} passing={passing} />
      {!own && !dot && <RailNode node={node} placed={hasLanes || fork !== undefined} />}
      {own && own[1] > 0 && (
        // A narrow screen has one column, so this agent's own column is hidden.
        <span className="sm:hidden">
          <RailNode node={{ shape: "agent-return", lane: own[0] }} placed />
        </span>
      )}
    </>
  );
  return (
    <div
      aria-hidden={children === undefined ? "true" : undefined}
      title={labelHidden(formatNode(node))}
      className={clsx(
        opens && "row-span-2",
        !broken && !fork && `${dot ?? "spine"} ${colour}`,
        (broken || fork || hasLanes || children !== undefined) && "relative",
      )}
    >
      {/* What stands on the rail is a control: it is not hidden with what is drawn. */}
      {children === undefined ? (
        drawn
      ) : (
        <span aria-hidden="true" className="contents">
          {drawn}
        </span>
      )}
      {children}
    </div>
  );
}

/** The column left of what stands below a row on paper: the spine and the lanes that go on behind that row. */
export function RailBelow({ row }: { row: Row }) {
  const { lane } = useThreadActions();
  const { lanes = [], passing = 0, spine } = row;
  const out = lanes.flatMap(([of, column, phase, from, agent]): RowLane[] =>
    phase === PASSES || phase === LEAVES ? [[of, column, PASSES, from, agent]] : [],
  );
  const below = {
    lanes: out.filter(([, column]) => column < LANE_COLUMNS),
    passing: passing + out.filter(([, column]) => column >= LANE_COLUMNS).length,
  };
  if (row.kind === "fork" && endsAt(row)) return <div />;
  return (
    <RailRowContext.Provider value={{ ...below, spine, turnMs: null }}>
      <Rail node={{ shape: "none" }} lane={lane} />
    </RailRowContext.Provider>
  );
}

/** The branch on screen has nothing behind this fork. */
function endsAt({ branches }: Pick<ForkRow, "branches">): boolean {
  return branches.some(({ current, endsHere }) => current && endsHere);
}

const PITCH_PX = 12;
const PASSES = 0;
const LEAVES = 1;
const RETURNS = 2;
const CALLS = 3;

/** The agents that are running at this row, each in its own column right of the spine; those further out are counted. */
function RailLanes({ lanes, passing }: { lanes: readonly RowLane[]; passing: number }) {
  const beyond = passing > 0 || lanes.some(([, column]) => column >= LANE_COLUMNS);
  const outermost = LANE_COLUMNS - 1;
  const isShown = ([, column, phase]: RowLane) => !beyond || column < outermost || phase !== PASSES;
  const shown = beyond ? uppermost(lanes.filter(isShown), outermost) : lanes;
  return (
    <>
      {beyond && (
        <Count
          counted={lanes.filter(([, column]) => column >= outermost)}
          passing={passing}
          covered={shown.some(([, column]) => column >= outermost)}
        />
      )}
      {shown.map(([lane, column, phase, from, agent]) => (
        <Lane
          key={`${from} ${agent}`}
          lane={lane}
          column={Math.min(column, outermost)}
          phase={phase}
          from={from}
          agent={agent}
        />
      ))}
    </>
  );
}

/**
 * The lanes without those that others cover: of all that do the same in the outermost column only the last is seen, and a
 * workflow's call can start thousands.
 */
function uppermost(lanes: readonly RowLane[], outermost: number): readonly RowLane[] {
  const last = new Map(lanes.map((lane) => [lane[1] < outermost ? lane : lane[2], lane]));
  return [...last.values()];
}

function Lane({
  lane,
  column,
  phase,
  from,
  agent,
}: {
  lane: number;
  column: number;
  phase: RowLane[2];
  from: number;
  agent: number;
}) {
  const { toRow } = useThreadActions();
  const { label, load } = useAgentLabel(agent);
  const x = PITCH_PX * (column + 1);
  const index = laneIndex(lane);
  const left = `calc(var(--spine-x) + ${x}px)`;
  const middle = "calc(var(--row) / 2)";
  const vertical =
    phase === LEAVES
      ? { top: `calc(${middle} + 8px)`, bottom: 0 }
      : phase === RETURNS
        ? { top: 0, height: `calc(${middle} - 8px)` }
        : { top: 0, bottom: 0 };
  return (
    <span className={clsx(LANE_TEXT[index], column > 0 && "max-sm:hidden")}>
      {phase !== CALLS && (
        <span className="absolute -ml-px border-l-2 border-current" style={{ left, ...vertical }} />
      )}
      {phase !== 0 && (
        <svg
          viewBox={`0 0 ${x + 12} 24`}
          className="absolute top-[calc((var(--row)-24px)/2)] left-(--spine-x) h-6 overflow-visible fill-none stroke-current stroke-2"
          style={{ width: x + 12 }}
        >
          {phase === RETURNS && <path d={`M${x} 0V4Q${x} 12 ${x - 8} 12H0`} />}
          {phase === LEAVES && <path d={`M0 12H${x - 8}Q${x} 12 ${x} 20`} />}
          {phase === CALLS && <path d={`M0 12H${x - 3}`} />}
          {phase !== RETURNS && (
            <path
              className="fill-current stroke-(--ground) [paint-order:stroke]"
              transform={`translate(${x - 5} 7)`}
              d={LANE_PATHS[index]}
            />
          )}
        </svg>
      )}
      {toRow && (
        // For the mouse only: the call and the answer have rows of their own, which keys can reach.
        <span
          title={labelHidden(label)}
          onPointerEnter={load}
          className="absolute inset-y-0 w-2.5 -translate-x-1/2 cursor-pointer hover:bg-current/20"
          style={{ left }}
          onClick={(event) => {
            event.stopPropagation();
            toRow(from);
          }}
        />
      )}
    </span>
  );
}

/**
 * The number of agents further out, on one dashed line from where the first leaves to where the last returns. The
 * number is hidden where one of their own lanes needs the room.
 */
function Count({
  counted,
  passing,
  covered,
}: {
  counted: readonly RowLane[];
  passing: number;
  covered: boolean;
}) {
  const comes = passing > 0 || counted.some(([, , phase]) => phase === PASSES || phase === RETURNS);
  const goesOn = passing > 0 || counted.some(([, , phase]) => phase === PASSES || phase === LEAVES);
  if (!comes && !goesOn) return null;
  const count = counted.length + passing;
  return (
    <span
      title={formatPlural(count, "more agent running", "more agents running")}
      className={clsx(
        "absolute left-[calc(var(--spine-x)+24px)] -ml-px border-l-2 border-dashed border-line-3 max-sm:hidden",
        comes ? "top-0" : "top-[calc(var(--row)/2+8px)]",
        goesOn ? "bottom-0" : "h-[calc(var(--row)/2-8px)]",
      )}
    >
      {!covered && (
        <span className="absolute top-[calc(var(--row)/2-6px)] left-[-6px] h-3 min-w-2.5 bg-(--ground) text-center text-[10px]/[12px] text-fg-2 tabular-nums">
          {formatCompact(count)}
        </span>
      )}
    </span>
  );
}

const DROP_PX = 14;

/** The other branches at a fork: each leaves the spine to the left and ends in its shape. */
function ForkStubs({ branches }: { branches: ForkRow["branches"] }) {
  const others = branches.flatMap(({ current, id }, index) => (current ? [] : [{ id, lane: index + 1 }]));
  const shown = others.slice(0, others.length > LANE_COLUMNS ? LANE_COLUMNS - 1 : LANE_COLUMNS);
  const left = others.length - shown.length;
  return (
    <>
      <svg
        viewBox="-32 0 32 40"
        className="absolute top-0 left-[calc(var(--spine-x)-32px)] h-10 w-8 overflow-visible fill-none stroke-current stroke-2"
      >
        {shown.map(({ id, lane }, index) => {
          const x = -PITCH_PX * (index + 1);
          return (
            <g key={id} className={clsx(LANE_TEXT[laneIndex(lane)], index > 0 && "max-sm:hidden")}>
              <path d={`M0 12H${x + 8}Q${x} 12 ${x} 20V${12 + DROP_PX}`} />
              <path
                className="fill-current stroke-none"
                transform={`translate(${x - 4.5} ${12 + DROP_PX}) scale(.9)`}
                d={LANE_PATHS[laneIndex(lane)]}
              />
            </g>
          );
        })}
        {left > 0 && (
          <path
            className="text-line-3 max-sm:hidden"
            d={`M0 12H-16Q-24 12 -24 20V${12 + DROP_PX}`}
            strokeDasharray="2 2"
          />
        )}
      </svg>
      {left > 0 && (
        <span
          title={`${left} more branches`}
          className="absolute top-[26px] left-[calc(var(--spine-x)-31px)] w-3.5 text-center text-[10px]/[12px] text-fg-2 tabular-nums max-sm:hidden"
        >
          {left}
        </span>
      )}
    </>
  );
}

/** Who moves over many lanes has the agents asked for once; in a running session others come, and end. */
const LABEL_STALE_MS = 5_000;

/** The tooltip of an agent's lane. Fetched on hover, since a rail has hundreds of lanes. */
function useAgentLabel(agent: number): { label: string; load: () => void } {
  const { sessionId } = useThreadActions();
  const client = useQueryClient();
  const [label, setLabel] = useState("Agent running");
  const load = async () => {
    const query = { ...agentsQuery(sessionId), staleTime: LABEL_STALE_MS };
    const found = await client.fetchQuery(query).catch(unlessUnanswered);
    const entry = found?.agents[agent];
    if (entry) setLabel(formatAgent(entry));
  };
  return { label: `${label}\nClick to go to the call that started it`, load: () => void load() };
}

/** The label stays as it is then: the page says elsewhere that nobody answers. */
function unlessUnanswered(cause: unknown): null {
  if (cause instanceof ApiError) return null;
  throw cause;
}

function formatAgent({ description, type, state, toolCalls, tokens, durationMs }: AgentEntry): string {
  const ended = state !== "running" && durationMs !== null ? formatDuration(durationMs) : null;
  const facts = [
    state === "unknown" ? null : state,
    formatPlural(toolCalls, "tool"),
    tokens > 0 ? `${formatCompact(tokens)} tokens` : null,
    ended,
  ];
  return `${[description ?? "Agent", type].filter(Boolean).join(" · ")}\n${facts.filter(Boolean).join(" · ")}`;
}
