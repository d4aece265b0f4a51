import { expect, test } from "vitest";
import { openRecording } from "@/lib/testing/recordings";
import { idOf, rowsOf, settled } from "@/lib/testing/transcript";

test("the row of a workflow names all of its agents, and its turn counts them", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const id = idOf(folder, scenarios.workflow?.session ?? "");
  const { rows } = await rowsOf(folder, id, "tools");
  const row = rows.find((one) => one.kind === "tool" && one.name === "Workflow");
  if (row?.kind !== "tool") throw new Error("The workflow has no row");
  expect(row.agents?.map(({ name, state, lane }) => `${name} ${state} ${lane}`)).toEqual([
    "look:code done 1",
    "look:quick done 2",
    "check done 3",
  ]);
  expect(row.agent).toEqual(row.agents?.[0]);
  const { agents } = await settled(() => folder.sessions.agents(id, { limit: 100, cursor: null }));
  expect(row.agents?.map(({ agentId }) => agentId)).toEqual(agents.map(({ agentId }) => agentId));
  expect(row.agents?.map(({ tokens }) => tokens)).toEqual(agents.map(({ tokens }) => tokens));
  const turn = rows.find((one) => one.kind === "turn" && one.turn === row.turn);
  expect(turn).toMatchObject({ agents: 3 });
});

test("the row of a single agent has no list", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const id = idOf(folder, scenarios["task-one"]?.session ?? "");
  const { rows } = await rowsOf(folder, id, "tools");
  const row = rows.find((one) => one.kind === "tool" && one.name === "Agent");
  expect(row).toMatchObject({ agent: { lane: 1 } });
  expect(row).not.toHaveProperty("agents");
});
