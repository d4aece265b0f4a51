import { readFileSync, statSync } from "node:fs";
import { asObject, asString } from "@/lib/log/records/json";
import type { SessionLog } from "@/lib/log/table/log-file";

/** What an agent's meta file says of it, and a mark that changes with the file; null and "" where there is none. */
export type AgentMeta = { meta: SessionLog["meta"]; mark: string };

/**
 * `agent-<id>.meta.json` (2.1.110 and later). It is replaced by renaming, so a missing or torn one is no fault.
 * @param known what was read of it before: not read again while it is the same file
 */
export function readAgentMeta(path: string | null, known: AgentMeta | null = null): AgentMeta {
  const found = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === null || !found) return { meta: null, mark: "" };
  const mark = `${found.ino}:${found.size}:${found.mtimeMs}`;
  if (mark === known?.mark) return known;
  try {
    const meta = asObject(JSON.parse(readFileSync(path, "utf8")));
    return {
      meta: {
        toolUseId: asString(meta?.toolUseId),
        agentType: asString(meta?.agentType),
        description: asString(meta?.description),
      },
      mark,
    };
  } catch {
    return { meta: null, mark };
  }
}
