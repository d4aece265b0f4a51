import { formatFullTime, formatPlural } from "@/lib/format/format";
import { firstWords } from "@/lib/format/text";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { McpWorld } from "./mcp-world";

/** About 6,000 tokens: clients warn at 10,000, and cut at 25,000. */
export const MAX_ANSWER = 24_000;

/** The most characters of a name in a list. */
const MAX_NAME = 200;

/**
 * A name as a list has it: a log may call a branch, a model or a folder anything. Redacted before it is cut, since half of a
 * secret is not known as one.
 */
export function briefName(redacted: string): string {
  return firstWords(redacted, MAX_NAME);
}

/** The parts that are known, on one line. */
export function facts(...parts: readonly (string | null | false | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** A time in full, with its day; `null` where it is not known. */
export function formatMomentOrNone(atMs: number | null): string | null {
  return atMs === null ? null : formatFullTime(atMs);
}

/** The address of a place in a session; `null` if nobody can open it. */
export function linkTo(
  { page }: Pick<McpWorld, "page">,
  id: SessionId,
  { recordId, block, agentId = null }: { recordId?: RecordId; block?: number; agentId?: AgentId | null } = {},
): string | null {
  if (page === null) return null;
  const query = [
    agentId === null ? null : `agent=${agentId}`,
    recordId === undefined ? null : `at=${recordId}${block === undefined ? "" : `.${block}`}`,
  ].filter(Boolean);
  return `${page}/sessions/${id}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** The part of a long text that starts at `offset` and fits in an answer, and a note about the rest, "" for a whole text. */
export function pageOf(text: string, offset: number): { part: string; note: string } {
  if (offset > 0 && offset >= text.length)
    return { part: "", note: `The text has ${formatPlural(text.length, "character")}.` };
  const to = Math.min(text.length, offset + MAX_ANSWER);
  const part = text.slice(offset, to);
  const rest = to < text.length ? ` Ask again with offset ${to} for more.` : "";
  return {
    part,
    note: rest || offset > 0 ? `Characters ${offset} to ${to} of ${text.length}.${rest}` : "",
  };
}
