import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Health, SessionSummary } from "@/lib/wire/library";
import type { Row } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import type { TestServer } from "../support/server";
import type { AtWork } from "./live-copy";

export const SAMPLES = join(import.meta.dirname, "../../bin/demo/claude");

/** Sessions of the samples that are at work in pictures of running sessions. */
export const AT_WORK: readonly AtWork[] = [
  { until: "click(400)", status: "busy" },
  { until: "Draw a day", status: "busy" },
  {
    until: "Which times should the JSON carry",
    status: "waiting",
    waitingFor: "input needed",
  },
];

/** What the pictures show of the sample sessions. */
export type Samples = {
  /** The one with the most tool calls. */
  session: SessionId;
  /** In that session: an edit after a failed test, and the agent with the most calls. */
  edit: RecordId;
  agent: AgentId;
  /** Where it was rewound and went on differently. */
  fork: RecordId;
  compaction: RecordId;
  /** When the last of them was active. */
  lastActiveAtMs: number;
};

/** Finds in the samples what is worth showing. */
export async function findSamples({ url, token }: Pick<TestServer, "url" | "token">): Promise<Samples> {
  const read = async <T>(path: string): Promise<T> => {
    for (;;) {
      const answer = await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      if (answer.status !== 202) return answer.json();
    }
  };
  while (!(await read<Health>("health")).indexing.done) await sleep(50);
  const { sessions } = await read<{ sessions: SessionSummary[] }>("sessions?sort=tools");
  const [most] = sessions;
  if (!most) throw new Error("No sample sessions.");
  const { rows } = await read<{ rows: Row[] }>(`sessions/${most.id}/rows?detail=tools&from=0&count=200`);
  const failed = rows.findIndex((row) => row.kind === "tool" && row.name === "Bash" && row.state === "error");
  const edit = rows.slice(failed).find((row) => row.kind === "tool" && row.name === "Edit");
  const { agents } = await read<{ agents: AgentEntry[] }>(`sessions/${most.id}/agents`);
  const [agent] = agents.toSorted((a, b) => b.toolCalls - a.toolCalls);
  const fork = rows.find((row) => row.kind === "fork");
  const compaction = rows.find((row) => row.kind === "compaction");
  if (!edit || !agent || !fork || !compaction)
    throw new Error("The samples lack an edit after an error, an agent, a fork or a compaction.");
  return {
    session: most.id,
    edit: edit.recordId,
    agent: agent.agentId,
    fork: fork.recordId,
    compaction: compaction.recordId,
    lastActiveAtMs: Math.max(...sessions.map(({ lastActiveAtMs }) => lastActiveAtMs ?? 0)),
  };
}
