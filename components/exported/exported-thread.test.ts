import { expect, test } from "vitest";
import { agentsOf, eachRow } from "@/lib/server/export/exported-threads";
import { ALL, openRecording } from "@/lib/testing/recordings";
import { settled } from "@/lib/testing/transcript";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { ErrorsResponse } from "@/lib/wire/session";
import { ExportedThread } from "./exported-thread";

/** The rows to which a reader is brought, by their keys: an exported file has none of forks. */
function broughtTo({ rows, edits, denied, hidden }: ErrorsResponse, all: readonly Row[]) {
  const keysOf = (indexes: readonly number[]) => indexes.map((index) => all[index]?.key);
  return { errors: keysOf(rows), edits: keysOf(edits), denied, hidden };
}

test.each(ALL)("%s: the keys lead to the errors and edits of the session's page", async (version) => {
  const { folder } = await openRecording(version);
  const { sessions, catalog } = folder;
  const compare = async (id: SessionId, agent: AgentId | null) => {
    const own: Row[] = [];
    for await (const row of eachRow(sessions, id, agent, "tools")) if (row.kind !== "fork") own.push(row);
    const thread = new ExportedThread(own);
    for (const fold of [[], [1]]) {
      const query = { branch: null, agent, detail: "tools" as const, fold };
      const whole = { ...query, from: 0, count: 100_000, around: null };
      const page = await settled(() => sessions.rows(id, whole));
      const errors = await settled(() => sessions.errors(id, query));
      const folded = new Set(fold);
      const { rows } = thread.window(folded, 0, 100_000);
      expect(broughtTo(thread.errors(folded), rows), `${id} ${agent}`).toEqual(broughtTo(errors, page.rows));
    }
  };
  for (const { id } of catalog.summaries())
    for (const agent of [null, ...(await agentsOf(sessions, id)).keys()]) await compare(id, agent);
});
