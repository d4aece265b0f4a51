import { type OpenFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Detail, Row } from "@/lib/wire/rows";

const WORDS = 40;

/**
 * A session's map as text: a line a branch or agent, with `1` for a turn's prompt, `[3]` for a run of
 * three rows, `×` errors, `◆` edits and `⊘` denials in it, `‖` for a compaction; then where it leaves
 * and comes back. Items are named by the line and their place in it: `a3` is the fourth of line a.
 */
export async function drawGraph({ sessions }: OpenFolder, id: SessionId): Promise<string[]> {
  const { items, lines } = await settled(() => sessions.graph(id));
  const letter = (line: number) => String.fromCodePoint(97 + line);
  const name = (item: number) => {
    const line = lines.from.findLastIndex((from) => from <= item);
    return `${letter(line)}${item - (lines.from[line] ?? 0)}`;
  };
  return lines.from.map((from, line) => {
    let turn = lines.turnsBefore[line] ?? 0;
    const drawn: string[] = [];
    for (let item = from; item < (lines.from[line + 1] ?? items.kind.length); item++) {
      turn += items.turns[item] ?? 0;
      drawn.push(drawItem(items, item, turn));
    }
    const place = `${letter(line)} ${drawn.join(" ")}`;
    if (line === 0) return place;
    const [leaves = -1, returns = -1] = [lines.leaves[line], lines.returns[line]];
    const label =
      lines.label[line]?.replace(/ ?SCENARIO:\S+/, "") || (lines.agent[line] ? "agent" : "branch");
    const way = leaves === -1 ? "from nowhere" : `from ${name(leaves)}`;
    const to = lines.agent[line] ? (returns === -1 ? " open" : ` to ${name(returns)}`) : "";
    return `${place}  ${way}${to}, lane ${lines.lane[line]}: ${label}`;
  });
}

type Columns = { [Name in "kind" | "rows" | "turns" | "errors" | "edits" | "denied"]: number[] };

function drawItem({ kind, rows, turns, errors, edits, denied }: Columns, item: number, turn: number): string {
  const marks = "×".repeat(errors[item] ?? 0) + "◆".repeat(edits[item] ?? 0) + "⊘".repeat(denied[item] ?? 0);
  switch (kind[item]) {
    case 0:
      return `(${turn - (turns[item] ?? 1) + 1}–${turn}: ${rows[item]}${marks})`;
    case 1:
      return String(turn);
    case 3:
      return "‖";
    default:
      return `[${rows[item]}${marks}]`;
  }
}

const SHAPES = " ●◆▲■▼⬢✚⬟";

/**
 * A thread's rows with what stands in the rail beside them: spine (its branch's colour), agents' lanes, and how many more
 * pass.
 */
export async function drawLanes(
  folder: OpenFolder,
  id: SessionId,
  agent?: AgentId,
  detail: Detail = "tools",
): Promise<string[]> {
  const { rows } = await rowsOf(folder, id, detail, agent ? { agent } : {});
  return rows.map((row) => {
    const columns: string[] = [];
    for (const [lane, column, phase] of row.lanes ?? [])
      columns[column] = phase === 0 ? "│" : (SHAPES[lane] ?? "?");
    const passing = row.passing ? `+${row.passing}` : "";
    const lanes = Array.from(columns, (mark) => mark ?? " ").join("") + passing;
    const returns = (row.lanes ?? []).some(([, , phase]) => phase === 2)
      ? "<"
      : (row.lanes ?? []).some(([, , phase]) => phase === 1 || phase === 3)
        ? ">"
        : " ";
    return `${row.spine ?? "│"}${returns}${lanes.padEnd(4)} ${say(row)}`.trimEnd();
  });
}

function say(row: Row): string {
  switch (row.kind) {
    case "turn":
      return `${row.turn} ${words(row.prompt.text)}`;
    case "tool":
      return words(`${row.name} ${row.subject}`);
    case "fork":
      return `fork of ${row.branches.length}${row.branches.some((way) => way.current && way.endsHere) ? ", ending here" : ""}`;
    case "agent-return":
      return row.notified ? "notified" : "returned";
    case "event":
      return row.label;
    default:
      return row.kind;
  }
}

function words(text: string): string {
  const line = text
    .replace(/ ?SCENARIO:\S+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > WORDS ? `${line.slice(0, WORDS).trimEnd()}…` : line;
}
