import { z } from "zod";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { lineOrigin } from "@/lib/server/search/line-origin";
import type { LineChange } from "@/lib/wire/files";
import { WhyRequest } from "@/lib/wire/requests/files";
import { type McpWorld, tellingOf } from "../mcp-world";
import { tool } from "../tool";
import { facts, formatMomentOrNone, linkTo } from "../words";

const MAX_OTHERS = 5;

/** Finds the change that wrote a line. */
export const whyLine = tool({
  name: "why_line",
  title: "Why is this line here",
  description:
    "Finds which change of which Claude Code session wrote a line of a file, for which prompt, and which changes came later. Give the line itself, of at least 4 characters; indentation does not count.",
  input: z.object({
    line: z.string().min(4).max(2_000),
    path: z.string().max(4_096).optional().describe("The file that has it, where that is known"),
  }),
  answer: async (world, { line, path = null }) => {
    const asked = WhyRequest.safeParse({ text: line, path });
    if (!asked.success)
      throw new ViewerError(
        "bad-line",
        "A line has at least 4 characters besides blanks, and no line breaks",
        {
          hint: "Ask for one line at a time.",
        },
      );
    const { origin, later, others, complete } = await lineOrigin(world, asked.data);
    const told: string[] = [];
    if (origin) told.push(await tell(world, "wrote it", origin));
    for (const change of later)
      told.push(
        await tell(
          world,
          change.change === "removed" ? "removed it later" : "changed lines around it",
          change,
        ),
      );
    for (const change of others.slice(0, MAX_OTHERS))
      told.push(await tell(world, `elsewhere: ${change.change}`, change));
    return {
      recorded: told.join("\n\n"),
      note: facts(
        origin === null && "No session wrote this line",
        others.length > MAX_OTHERS && `${others.length - MAX_OTHERS} more changes have the same line`,
        !complete && "It stands in more changes than were looked at",
      ),
    };
  },
});

async function tell(world: McpWorld, what: string, change: LineChange): Promise<string> {
  const { sessionId, title, tool: by, agentId, path, turn, prompt, recordId, block, atMs } = change;
  const { said } = await tellingOf(world, sessionId);
  // Each by itself: a prompt or a title may have been cut inside of a secret, which shows at its end alone.
  return [
    facts(what, by, agentId !== null && `agent ${agentId}`, said(path), formatMomentOrNone(atMs)),
    prompt !== null && `turn ${turn}: ${said(prompt)}`,
    facts(title === null ? null : said(title), `record ${recordId}.${block}`, `session ${sessionId}`),
    linkTo(world, sessionId, { recordId, block, agentId }),
  ]
    .filter(Boolean)
    .join("\n");
}
