import type { Doing, LiveState } from "@/lib/wire/live";

const WORDS: Record<Doing["kind"], string> = {
  tool: "Running",
  thinking: "Thinking",
  permission: "Asks permission",
  question: "Asks you",
  agents: "Waiting for agents",
  answered: "Answered",
  menu: "Menu open",
  shells: "Background commands",
};

/** How a session stands, in a few words; `null` where nothing is known to run. */
export function stateWord({ state, doing, gone, checked }: LiveState): string | null {
  if (state === "waiting") return doing ? WORDS[doing.kind] : "Waiting for you";
  // The log alone does not tell whether a call runs or its person is asked about it.
  if (state === "running") return doing?.mayAsk ? "Running or asking" : doing ? WORDS[doing.kind] : "Running";
  if (state === "idle" || state === "unknown") return doing && WORDS[doing.kind];
  if (state !== "interrupted") return null;
  if (!gone) return "Interrupted";
  // Nobody could look whether it still runs.
  if (!checked) return doing?.kind === "thinking" ? "Last seen thinking" : "Last seen running";
  return "Gone";
}

/** What it does, with what: `Bash npm test`, `2 agents`. */
export function doingWords({ doing }: LiveState): string | null {
  if (!doing?.name) return doing?.subject ?? null;
  return doing.subject ? `${doing.name} ${doing.subject}` : doing.name;
}
