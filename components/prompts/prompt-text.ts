import { copyAndSay } from "@/components/thread/row-text";
import { api } from "@/lib/client/api";
import type { ProjectId } from "@/lib/wire/ids";
import type { UsedPrompt } from "@/lib/wire/search";

/** What all prompts of a list have been asked for with. */
export type PromptsAsked = { q: string; project: ProjectId | null };

/** The whole text of a prompt, of which a list has the beginning. Throws `ApiError`. */
export async function wholePrompt({ id, text, length }: UsedPrompt, asked: PromptsAsked): Promise<string> {
  if (text.length >= length) return text;
  return (await api.promptUses(id, { ...asked, limit: 1 })).text || text;
}

/** Copies a prompt, and says so, or why not. */
export async function copyPrompt(prompt: UsedPrompt, asked: PromptsAsked): Promise<void> {
  await copyAndSay(wholePrompt(prompt, asked), "Prompt copied");
}
