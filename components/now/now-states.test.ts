import { expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveState, NowResponse, NowTile } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";
import { NowStates, withState } from "./now-states";

const live = (
  id: string,
  state: LiveState["state"],
  kind?: "tool" | "question" | "answered",
  pid: number | null = null,
): LiveState =>
  ({
    sessionId: id as SessionId,
    state,
    sinceMs: 5,
    gone: false,
    pid,
    doing: kind ? { kind } : null,
  }) as LiveState;
const tile = (id: string, state: LiveState["state"]): NowTile =>
  ({ summary: { id, title: id, state }, live: live(id, state), rows: [] }) as unknown as NowTile;
const board = (...tiles: NowTile[]): NowResponse => ({ tiles, open: [], ended: [] });
const read = ({ tiles, open, ended }: NowResponse) => [
  ...tiles.map((one) => `${one.summary.id} ${one.live.state} ${one.live.doing?.kind ?? ""}`.trim()),
  ...open.map(({ id, state }) => `open: ${id} ${state}`),
  ...ended.map(({ id, state }) => `beside: ${id} ${state}`),
];

it("shows a state as it arrives: waiting sessions come first, idle ones move to the side", () => {
  const shown = board(tile("a", "running"), tile("b", "running"));
  expect(read(withState(shown, live("b", "waiting", "question")))).toEqual([
    "b waiting question",
    "a running",
  ]);
  expect(read(withState(shown, live("a", "idle")))).toEqual(["b running", "beside: a idle"]);
  expect(read(withState(shown, live("a", "unknown", "answered")))).toEqual([
    "a unknown answered",
    "b running",
  ]);
  expect(read(withState(shown, { ...live("a", "interrupted"), gone: true }))).toEqual([
    "b running",
    "a interrupted",
  ]);
  expect(withState(shown, live("c", "running"))).toBe(shown);
});

it("lists a session apart whose client is open and idle, until that ends", () => {
  const shown = withState(board(tile("a", "running"), tile("b", "running")), live("a", "idle", undefined, 7));
  expect(read(shown)).toEqual(["b running", "open: a idle"]);
  expect(withState(shown, live("a", "idle", undefined, 7))).toBe(shown);
  const ended = withState(shown, live("a", "ended"));
  expect(read(ended)).toEqual(["b running", "beside: a ended"]);
  expect(read(withState(ended, live("a", "idle", undefined, 7)))).toEqual(["b running", "open: a idle"]);
});

it("applies states that arrived while an answer was loading, and not afterwards", async () => {
  const states = new NowStates();
  let answer: (board: NowResponse) => void = () => undefined;
  const asked = states.fetch(() => new Promise<NowResponse>((resolve) => (answer = resolve)));
  states.apply(undefined, live("a", "waiting", "question"));
  answer(board(tile("a", "running")));
  expect(read(await asked)).toEqual(["a waiting question"]);
  expect(read(await states.fetch(async () => board(tile("a", "running"))))).toEqual(["a running"]);
});

it("brings the tile of a session back as soon as it continues", async () => {
  const states = new NowStates();
  const shown = await states.fetch(async () => board(tile("a", "running"), tile("b", "running")));
  const rest = states.apply(shown, live("a", "idle")) as NowResponse;
  expect(read(rest)).toEqual(["b running", "beside: a idle"]);
  const again = states.apply(rest, live("a", "waiting", "question")) as NowResponse;
  expect(read(again)).toEqual(["a waiting question", "b running"]);
  expect(read(states.apply(again, live("c", "running")) as NowResponse)).toEqual(read(again));
});

it("a tile that is brought back does not show as open what was open when its session was on the board last", async () => {
  const states = new NowStates();
  const call = (key: string, state: "ok" | "running") => ({ key, kind: "tool", state }) as Row;
  const rows = [{ key: "says", kind: "text" } as Row, call("done", "ok"), call("asked", "running")];
  const asking = {
    ...tile("a", "waiting"),
    ...{ rows, agents: [{ agentId: "x" }], questions: [{ question: "Which?" }] },
  } as NowTile;
  const shown = await states.fetch(async () => board(asking));
  const rest = states.apply(shown, live("a", "idle")) as NowResponse;
  const again = states.apply(rest, live("a", "running", "tool")) as NowResponse;
  expect(
    again.tiles.map(({ rows: of, agents, questions }) => [of.map(({ key }) => key), agents, questions]),
  ).toEqual([[["says", "done"], [], null]]);
});
