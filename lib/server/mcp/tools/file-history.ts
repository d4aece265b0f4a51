import { z } from "zod";
import { formatPlural } from "@/lib/format/format";
import { sessionsOfFile } from "@/lib/server/search/line-origin";
import { tellingOfMany } from "../mcp-world";
import { tool } from "../tool";
import { facts, formatMomentOrNone, linkTo } from "../words";

const MAX_READERS = 20;

/** Lists the sessions that changed or read a file. */
export const fileHistory = tool({
  name: "file_history",
  title: "Sessions of a file",
  description:
    "Lists the Claude Code sessions that changed a file, and those that only read it, the newest first. Takes a path, or the end of one.",
  input: z.object({
    path: z.string().min(1).max(4_096),
    limit: z.number().int().min(1).max(100).default(20),
    cursor: z.string().max(400).optional().describe("From an earlier answer, for the sessions behind it"),
  }),
  answer: async (world, { path, limit, cursor = null }) => {
    const said = await tellingOfMany(world);
    const found = await sessionsOfFile(world, path, { limit, cursor });
    const changed = found.sessions.map(({ sessionId, title, projectPath, lastActiveAtMs, paths }) =>
      [
        facts(said(title ?? sessionId, sessionId), projectPath, formatMomentOrNone(lastActiveAtMs)),
        facts("changed", ...paths),
        facts(`session ${sessionId}`, linkTo(world, sessionId)),
      ].join("\n"),
    );
    const read = found.readers
      .slice(0, MAX_READERS)
      .map(({ sessionId, title, projectPath, lastActiveAtMs, recordId }) =>
        [
          facts(said(title ?? sessionId, sessionId), projectPath, formatMomentOrNone(lastActiveAtMs)),
          facts(
            "read it",
            `record ${recordId}`,
            `session ${sessionId}`,
            linkTo(world, sessionId, { recordId }),
          ),
        ].join("\n"),
      );
    const told = [...changed, ...read].join("\n\n");
    return {
      recorded: said(told),
      note: facts(
        `${formatPlural(changed.length, "session")} changed it`,
        `${formatPlural(found.readers.length, "session")} only read it`,
        found.nextCursor !== null && `ask again with cursor ${found.nextCursor} for more`,
        !found.complete && "not every session has been read yet",
      ),
    };
  },
});
