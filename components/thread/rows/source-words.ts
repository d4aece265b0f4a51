import type { PromptSource } from "@/lib/wire/rows";

/** How a prompt came, where it was not simply typed. */
export const SOURCE_WORDS: Partial<Record<PromptSource, string>> = {
  queued: "queued",
  command: "command",
  bash: "shell",
  plan: "plan",
  sdk: "SDK",
  agent: "agent",
};
