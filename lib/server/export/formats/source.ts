import { formatCost, formatFullTime, formatPlural } from "@/lib/format/format";
import { spellControls } from "@/lib/format/text";
import type { Rewriting } from "@/lib/redact/home-folder";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { Annotation } from "@/lib/wire/annotations";
import type { SessionDetail } from "@/lib/wire/session";
import type { LeftOut } from "@/lib/wire/shares";
import { type Choice, formatChoice } from "../chosen-part";

/** A file as it is made. */
export type Pieces = AsyncGenerator<string | Uint8Array>;

/**
 * What a file is made from: the session as it is to be read, and what is told of it. `comments`: `null` where none were
 * asked for.
 */
export type Source = {
  sessions: SessionQueries;
  files: SessionFiles;
  redaction: Rewriting | null;
  choice: Choice | null;
  leftOut: readonly LeftOut[];
  comments: readonly Annotation[] | null;
};

/** Whether an export also tells what stands at lines that it does not show: a part is what was chosen, and no more. */
export function isOfAll({ choice }: Source): boolean {
  return choice === null || choice.isWhole;
}

/** A text with its control characters as symbols. Prompts that were pasted on Windows have CRLF line ends. */
export function toText(text: string): string {
  return spellControls(text.replaceAll("\r\n", "\n"));
}

/** Where and when a session was, and how much of it this is, in words. */
export function formatFacts(
  { logGone, project, gitBranch, models, startedAtMs, counts, tokens, cost }: SessionDetail,
  choice: Choice | null,
): string {
  const started = startedAtMs === null ? null : `${formatFullTime(startedAtMs)} ${zoneOf(startedAtMs)}`;
  // The cost of a part is not known: the requests contained the rest too.
  const isWhole = !choice || choice.isWhole;
  const { branches } = counts;
  const shown = branches > 1 ? ` on ${branches} branches, of which the active one is in this file` : "";
  return [
    logGone ? "The session’s own log is gone: these are its agents" : null,
    project.path,
    gitBranch,
    models.join(", "),
    started,
    (choice && formatChoice(choice)) ||
      `${formatPlural(counts.turns, "turn")}, ${formatPlural(counts.toolCalls, "tool call")}${shown}`,
    isWhole && tokens && cost
      ? `${formatCost(cost.microUsd, cost.unpricedTokens)} at the API’s prices`
      : null,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The time zone of an export's times: that of the machine that wrote it. */
function zoneOf(atMs: number): string {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "shortOffset" }).formatToParts(atMs);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "local time";
}
