import type { Doing, LiveState } from "@/lib/wire/live";

const WORDS: Record<Doing["kind"], string> = {
  tool: "Running",
  thinking: "Thinking",
  permission: "Asks permission",
  question: "Asks you",
};

/** How a session stands, in one or two words; `null` where nothing runs. */
export function stateWord({ state, doing, gone, checked }: LiveState): string | null {
  if (state === "waiting") return doing ? WORDS[doing.kind] : "Waiting for you";
  if (state === "running") return doing?.kind === "thinking" ? "Thinking" : "Running";
  if (state !== "interrupted") return null;
  if (!gone) return "Interrupted";
  // Nobody could look whether it still runs.
  if (!checked) return doing?.kind === "thinking" ? "Last seen thinking" : "Last seen running";
  return "Gone";
}

/** What it does, with what: `Bash npm test`. */
export function doingWords({ doing }: LiveState): string | null {
  if (!doing?.name) return null;
  return doing.subject ? `${doing.name} ${doing.subject}` : doing.name;
}
