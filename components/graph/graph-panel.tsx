import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { firstLine, firstProseLine } from "@/components/thread/rows/row-line";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/keys";
import { LaneShape } from "@/components/ui/marks";
import { Moment } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatCount, formatDuration, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import { type Row, rowKindFacts } from "@/lib/wire/rows";
import type { GraphItem, GraphLine } from "./graph-model";
import { formatAgentFacts, formatLine, itemFacts, itemTitle } from "./graph-tree";
import { type Continuation, continuationsFrom, laneAt, type OpenGraph } from "./use-graph";

const KEYS: [keys: string[], does: string][] = [
  [["←", "→"], "parent, child"],
  [["↑", "↓"], "sibling: agent, branch"],
  [["e"], "expand or fold"],
  [["+", "−", "0"], "zoom, fit all"],
  [["↵"], "open in the thread"],
  [["g"], "back to the thread"],
];

/** The panel beside the canvas: the selected item, what leaves from it, and its first rows. */
export function GraphPanel({
  graph,
  selected,
  onSelect,
  onGo,
  onOpen,
}: {
  graph: OpenGraph;
  selected: number;
  onSelect: (item: number) => void;
  onGo: () => void;
  onOpen: () => void;
}) {
  const item = graph.model.items[selected];
  if (!item) return null;
  return (
    <ItemPanel
      graph={graph}
      selected={selected}
      item={item}
      onSelect={onSelect}
      onGo={onGo}
      onOpen={onOpen}
    />
  );
}

type PanelProps = Parameters<typeof GraphPanel>[0] & { item: GraphItem };

function ItemPanel(props: PanelProps) {
  const { graph, selected, item } = props;
  const rows = useFirstRows(item, graph.model.lines[graph.model.lineOf[selected] ?? 0] ?? null);
  const [first] = rows;
  const prompt = item.kind === "turn" && first?.kind === "turn" ? first.prompt.text : null;
  return (
    <aside
      aria-label="Selected"
      className="flex flex-col overflow-y-auto border-l border-line-2 bg-panel text-12 max-md:hidden"
    >
      <ItemHead {...props} prompt={prompt} />
      <BranchesFromHere {...props} />
      <AgentsFromHere {...props} />
      <PanelRows rows={rows} more={Math.max(0, item.rows + item.turns - rows.length)} />
      <section aria-label="Keys" className="border-t border-line px-3 py-2 text-fg-2">
        {KEYS.map(([keys, does]) => (
          <p key={does} className="flex h-[22px] items-center gap-1">
            <span className="flex w-[76px] gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </span>
            {does}
          </p>
        ))}
      </section>
    </aside>
  );
}

/** What the selected item is, where it stands, and what can be done with it. @param prompt of a turn, once it is known */
function ItemHead({ graph, selected, item, prompt, onGo, onOpen }: PanelProps & { prompt: string | null }) {
  const { model } = graph;
  const line = model.lineOf[selected] ?? 0;
  const [own, main] = [model.lines[line], model.lines[0]];
  const facts = itemFacts({ ...item, tookS: null });
  const agentFacts = own?.agent ? formatAgentFacts(own) : "";
  const isFolded = item.kind === "run" || item.kind === "group";
  const isInner = item.key.includes("/");
  const { compare } = useThreadActions();
  const isBranch = own !== undefined && own !== main && own.agent === null;
  return (
    <div className="border-b border-line px-3 py-2.5">
      <h2 className="flex items-center gap-2 text-13 font-semibold">
        {prompt === null ? (
          <span className="truncate">{itemTitle(graph, selected)}</span>
        ) : (
          <>
            <span className="inline-flex h-[17px] min-w-6 flex-none justify-center rounded-1 bg-fg px-1 text-11 leading-[17px] text-bg tabular-nums">
              {item.turn}
            </span>
            <span className="truncate">
              <VisibleText text={textStart(prompt, 120)} />
            </span>
          </>
        )}
      </h2>
      <dl className="mt-1.5 grid grid-cols-[calc(64px*var(--u))_minmax(0,1fr)] gap-y-0.5">
        {item.atMs !== null && (
          <Fact name="Started">
            <span className="tabular-nums">
              <Moment atMs={item.atMs} />
              {item.tookS ? `, took ${formatDuration(item.tookS * 1000)}` : ""}
            </span>
          </Fact>
        )}
        {facts.length > 0 && <Fact name="Contains">{facts.join(", ")}</Fact>}
        <Fact name="On">
          <span className="flex items-center gap-1.5">
            <LaneShape lane={laneAt(model, graph.behind, selected)} />
            <span className="truncate">{formatLine(graph, line)}</span>
          </span>
        </Fact>
        {agentFacts !== "" && (
          <Fact name="Agent">
            <span className="tabular-nums">{agentFacts}</span>
          </Fact>
        )}
      </dl>
      <div className="mt-2.5 flex gap-2">
        <Button kind="primary" onClick={onGo}>
          {own?.agent ? "Open the agent" : "Open in thread"}
        </Button>
        {(isFolded || isInner) && <Button onClick={onOpen}>{isFolded ? "Expand" : "Fold"}</Button>}
        {compare && isBranch && main && (
          <Button title="Beside the active branch" onClick={() => compare(own.branch, main.branch)}>
            Compare
          </Button>
        )}
      </div>
    </div>
  );
}

/** The ways on from the selected item: its own line, and branches that leave there. */
function BranchesFromHere({ graph, selected, onSelect }: PanelProps) {
  const { model } = graph;
  const line = model.lineOf[selected] ?? 0;
  const continuations = continuationsFrom(graph, selected);
  if (continuations.length === 0) return null;
  return (
    <LeavingLines name="Branches from here" count={continuations.length}>
      {continuations.map((one) => (
        <LeavingLine
          key={`${one.line}-${one.item}`}
          lane={one.lane}
          label={one.line === line && line === 0 ? goingOn(graph, one) : formatLine(graph, one.line)}
          rows={rowsOf(model.items.slice(one.from, one.to))}
          current={one.line === line && selected >= one.from}
          onClick={() => onSelect(one.item)}
        />
      ))}
    </LeavingLines>
  );
}

function AgentsFromHere({ graph, selected, onSelect }: PanelProps) {
  const { model } = graph;
  const agents = model.lines.flatMap((one, index) =>
    isAgentFrom(graph, one, selected) ? [{ one, index }] : [],
  );
  if (agents.length === 0) return null;
  return (
    <LeavingLines name="Agents from here" count={agents.length}>
      {agents.map(({ one, index }) => (
        <LeavingLine
          key={index}
          lane={one.lane}
          label={formatLine(graph, index)}
          facts={formatAgentFacts(one)}
          rows={rowsOf(model.items.slice(one.from, one.to))}
          onClick={() => onSelect(one.from)}
        />
      ))}
    </LeavingLines>
  );
}

function isAgentFrom({ model: { lines } }: OpenGraph, one: GraphLine, item: number): boolean {
  return one.leaves === item && one.agent !== null && one.agent !== lines[one.parent]?.agent;
}

/** The main line after a fork has no prompt of its own to be named by. */
function goingOn({ model }: OpenGraph, { item }: Continuation): string {
  const turn = model.items[item]?.turn ?? 0;
  return turn > 0 ? `main, on with turn ${turn}` : "main";
}

function LeavingLines({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  return (
    <section aria-label={labelHidden(name)} className="border-b border-line py-1.5">
      <h3 className="px-3 py-1 text-fg-2">
        {name} <span className="text-fg-3 tabular-nums">{count}</span>
      </h3>
      {children}
    </section>
  );
}

function LeavingLine({
  lane,
  label,
  facts,
  rows,
  current = false,
  onClick,
}: {
  lane: number;
  label: string;
  facts?: string;
  rows: number;
  current?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-current={current ? "true" : undefined}
      className={clsx(
        "flex h-row w-full items-center gap-2.5 px-3 text-left -outline-offset-2!",
        current ? "sel-bar bg-sel font-semibold" : "hover:bg-raised",
      )}
      onClick={onClick}
    >
      <LaneShape lane={lane} />
      <span className="min-w-0 flex-1 truncate">
        <VisibleText text={label} />
      </span>
      {facts && <span className="flex-none font-normal text-fg-2 tabular-nums">{facts}</span>}
      <span className="flex-none font-normal text-fg-3 tabular-nums" title={formatPlural(rows, "row")}>
        {rows}
      </span>
    </button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 text-fg">{children}</dd>
    </>
  );
}

function rowsOf(items: readonly GraphItem[]): number {
  return items.reduce((sum, { rows }) => sum + rows, 0);
}

const SHOWN_ROWS = 14;

/** The first rows of an item, in order. */
function useFirstRows(item: GraphItem, line: GraphLine | null): readonly Row[] {
  const { sessionId } = useThreadActions();
  const agent = line?.agent ?? null;
  const branch = agent || !line || line.parent === -1 ? null : line.branch;
  const { data } = useQuery({
    queryKey: ["graph-rows", sessionId, item.key, item.rows, agent, branch],
    queryFn: ({ signal }) =>
      api.rows(sessionId, { around: item.id, agent, branch, count: 2 * SHOWN_ROWS }, { signal }),
    gcTime: 30_000,
  });
  const first = Math.max(0, (data?.at ?? 0) - (data?.from ?? 0));
  const count = item.kind === "group" ? SHOWN_ROWS : Math.min(SHOWN_ROWS, item.rows + item.turns);
  return data?.rows.slice(first, first + Math.max(1, count)) ?? [];
}

/** Rows as one line each, with their outcome. */
function PanelRows({ rows, more }: { rows: readonly Row[]; more: number }) {
  return (
    <section aria-label="Rows" className="flex-1 py-1.5">
      <h3 className="px-3 py-1 text-fg-2">Rows</h3>
      {rows.map((row) => (
        <p key={row.key} className="flex h-[22px] items-center gap-2 px-3 whitespace-nowrap">
          <RowSign row={row} />
          <span className="max-w-[76px] min-w-[56px] flex-none truncate font-semibold">{nameOf(row)}</span>
          <span
            className={clsx("min-w-0 flex-1 truncate text-fg-2", row.kind === "tool" && "font-mono text-11")}
          >
            <VisibleText text={formatRow(row)} />
          </span>
          <Outcome row={row} />
        </p>
      ))}
      {more > 0 && <p className="px-3 py-1 text-fg-3 tabular-nums">{formatCount(more)} more</p>}
    </section>
  );
}

function Outcome({ row }: { row: Row }) {
  if (row.kind !== "tool") return null;
  const tone = { error: "text-err", "timed-out": "text-err", denied: "text-warn", running: "text-run" }[
    row.state as string
  ];
  return (
    <span className={clsx("flex max-w-[96px] flex-none gap-1 truncate tabular-nums", tone ?? "text-fg-3")}>
      {tone && <VisibleText text={row.result ?? row.state} />}
      <ChangedLines added={row.added} removed={row.removed} />
    </span>
  );
}

function nameOf(row: Row): string {
  if (row.kind === "tool" || row.kind === "run") return shortToolName(row.name);
  return row.kind === "turn" ? `Turn ${row.turn}` : rowKindFacts(row.kind).name;
}

function formatRow(row: Row): string {
  switch (row.kind) {
    case "turn":
      return firstLine(row.prompt.text, 120);
    case "tool":
    case "run":
      return row.subject;
    case "text":
    case "thinking":
    case "agent-return":
      return firstProseLine(row.text.text, 120);
    case "event":
    case "context":
      return [row.label, firstLine(row.text.text, 120)].filter(Boolean).join(": ");
    default:
      // Kinds with a text have it in `text`.
      return "text" in row ? firstLine(typeof row.text === "string" ? row.text : row.text.text, 120) : "";
  }
}

/** A row's mark, as on the canvas. */
function RowSign({ row }: { row: Row }) {
  if (row.kind === "tool" && row.agent) return <LaneShape lane={row.agent.lane} />;
  if (row.kind === "agent-return") return <LaneShape lane={row.lane} />;
  const [className, path] = shapeOf(row);
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" width="14" height="14" className={`flex-none ${className}`}>
      <path d={path} />
    </svg>
  );
}

function shapeOf(row: Row): [className: string, path: string] {
  if (row.kind === "turn") return ["fill-fg", "M2 3.5h10v7H2z"];
  if (row.kind === "compaction") return ["fill-none stroke-fg-2", "M5 2v10M9 2v10"];
  if (row.kind === "fork") return ["fill-none stroke-fg-2", "M7 2.5L11.5 7 7 11.5 2.5 7z"];
  if (row.kind === "thinking")
    return ["fill-none stroke-spine", "M7 4.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6z"];
  if (row.kind !== "tool") return ["fill-spine", "M7 4.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 1 1 0-4.4z"];
  switch (row.state) {
    case "error":
    case "timed-out":
      return ["fill-none stroke-err [stroke-width:1.8]", "M4 4l6 6M10 4l-6 6"];
    case "denied":
      return ["fill-none stroke-warn", "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM4.5 4.5l5 5"];
    case "running":
      return ["fill-none stroke-run [stroke-width:1.5]", "M7 3a4 4 0 1 1 0 8a4 4 0 1 1 0-8z"];
    case "interrupted":
      return ["fill-none stroke-fg-2", "M4 4h6v6H4z"];
    default:
      return row.added !== null || row.removed !== null
        ? ["fill-edit", "M7 2l5 5-5 5-5-5z"]
        : ["fill-spine", "M7 3.8a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4z"];
  }
}
