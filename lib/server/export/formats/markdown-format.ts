import { formatLeftOut } from "../agent-words";
import { ELSEWHERE, threadToMarkdown } from "../comment-words";
import { ExportedComments } from "../exported-comments";
import { agentsOf, type ExportedAgents, type ThreadPart, threadParts } from "../exported-threads";
import { LogReader, settled } from "../html/log-reader";
import { agentToMarkdown, rowToMarkdown } from "../markdown";
import { wholeRow } from "../whole-row";
import { formatFacts, isOfAll, type Pieces, type Source, toText } from "./source";

/** The session as Markdown, its agents at the end. */
export async function* writeMarkdown(source: Source): Pieces {
  const { sessions, files, choice, leftOut } = source;
  const session = await settled(() => sessions.detail(files.id));
  yield toText(`# ${session.title}\n\n${formatFacts(session, choice)}\n\n`);
  const agents = await agentsOf(sessions, files.id);
  const reader = new LogReader(sessions, files.id, false);
  const comments = new ExportedComments(source.comments ?? []);
  for await (const part of threadParts(sessions, files, agents, 0)) {
    const whole = part.part === "row" ? { ...part, row: await wholeRow(part.row, reader) } : part;
    yield toText(partToMarkdown(whole, agents, leftOut.includes("agents")));
    if ("row" in part) for (const thread of comments.takeAt(part.row)) yield toText(threadToMarkdown(thread));
  }
  const { left } = comments;
  if (left.length === 0 || !isOfAll(source)) return;
  yield `# ${ELSEWHERE}\n\n`;
  for (const thread of left) yield toText(threadToMarkdown(thread, true));
}

/** Agents' threads follow the thread, each under its name; calls link there. */
function partToMarkdown(part: ThreadPart, agents: ExportedAgents, agentsLeftOut: boolean): string {
  switch (part.part) {
    case "row": {
      const returned = part.row.kind === "agent-return" ? agents.get(part.row.agentId) : undefined;
      return rowToMarkdown(part.row, returned ? [returned] : [], agentsLeftOut);
    }
    case "call":
      return rowToMarkdown(part.row, part.elsewhere, agentsLeftOut);
    case "apart":
      return "# Agents\n\n";
    case "agent":
      return agentToMarkdown(part.agent, part.from);
    case "lost":
      return "_The rest could not be read: its log is gone._\n\n";
    case "left-out":
      return `_${formatLeftOut(part.agents)}_\n\n`;
    case "call-end":
    case "agent-end":
      return "";
  }
}
