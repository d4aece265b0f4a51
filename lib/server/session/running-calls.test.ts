import { expect, test } from "vitest";
import { type AgentId, formatRecordId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { markRunning, type RunningCalls } from "./running-calls";

const call = (id: string, offset: number, file = "m") =>
  ({
    ...{ kind: "tool", key: id, recordId: formatRecordId(file, offset), toolUseId: id },
    ...{ state: "no-result", result: null, agent: null },
  }) as unknown as Row;

const running: RunningCalls = {
  ids: new Set(["open"]),
  asks: "permission",
  asked: null,
  agents: new Set(),
  readTo: 1_000,
};

const statesOf = (rows: Row[], known: RunningCalls, agent: string | null = null) =>
  markRunning({ rows } as RowsResponse, agent as AgentId | null, known).rows.map((row) =>
    row.kind === "tool" ? `${row.toolUseId} ${row.state}${row.result ? `, ${row.result}` : ""}` : "",
  );

test("a call whose line its session's state has not seen yet is under way, and one that stayed without a result is not", () => {
  const rows = [call("stopped", 10), call("open", 900), call("new", 1_000)];
  expect(statesOf(rows, running)).toEqual([
    "stopped no-result",
    "open running, asks permission",
    "new running",
  ]);
  // In the words of nobody who reads: it may be a guest.
  expect(statesOf([call("open", 900)], { ...running, asks: "question" })).toEqual([
    "open running, asks a question",
  ]);
  // Of a log that has not been read nothing is known.
  expect(statesOf([call("stopped", 10)], { ...running, readTo: null })).toEqual(["stopped no-result"]);
  // Places in an agent's log say nothing of the session's.
  expect(statesOf([call("other", 5_000, "aa")], running, "a1")).toEqual(["other no-result"]);
});
