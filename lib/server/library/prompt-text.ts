import { titleOfPrompt } from "@/lib/format/split-pastes";
import type { ContentBlock } from "@/lib/log/records/content-block";
import { typedText } from "@/lib/log/table/typed-text";
import { commandLine, tagContent, userTextKind } from "@/lib/log/table/user-text";

/** What a person typed. `local`: a built-in command, a shell line, a note: nothing was sent to the model. */
export type PromptText = { text: string; images: number; local: boolean };

/** 1.0.128 writes what hooks add as user strings, `<user-prompt-submit-hook>…` and the like. */
const HOOK = /^<[a-z-]+-hook>/;

const SUMMARY = "This session is being continued from a previous conversation";

/**
 * The prompt in a user line that is not `isMeta`, as a title may show it, or `null` where no person
 * wrote one. A slash command reads `/name arguments`, a shell line `! command`, a note `# note`.
 */
export function promptText(blocks: readonly ContentBlock[]): PromptText | null {
  const texts: string[] = [];
  let images = 0;
  for (const block of blocks) {
    if (block.kind === "tool-result") return null;
    if (block.kind === "media") images += 1;
    if (block.kind === "text") texts.push(block.text);
  }
  const text = typedText(texts.join("\n"));
  if (text === "") return images > 0 ? { text: "", images, local: false } : null;
  if (HOOK.test(text) || text.startsWith(SUMMARY)) return null;
  const note = text.startsWith("<user-memory-input>") ? tagContent(text, "user-memory-input") : null;
  if (note !== null) return { text: `# ${note}`, images, local: true };
  const kind = userTextKind(text);
  if (kind === "prompt") return { text: titleOfPrompt(text), images, local: false };
  if (kind === "bash")
    return { text: `! ${tagContent(text, "bash-input") ?? ""}`.trim(), images, local: true };
  if (kind !== "command") return null;
  // A custom command's line begins with its message, a built-in one's with its name, in all versions recorded.
  return { text: commandLine(text), images, local: text.startsWith("<command-name>") };
}
