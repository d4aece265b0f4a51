import { toCopy } from "@/components/content/text/more-text";
import { toast, toastFailure } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { copyAwaited } from "@/lib/client/copy-text";
import type { KeyCommand } from "@/lib/client/key-registry";
import { splitPastes } from "@/lib/format/text";
import { codeSpan, quoteText } from "@/lib/markup/write-markdown";
import type { SessionId } from "@/lib/wire/ids";
import { type CutText, type Row, rowKindFacts } from "@/lib/wire/rows";

/**
 * The text of a row as it is pasted elsewhere, all of it: a prompt as it was typed, an answer’s Markdown, of a call its
 * command or prompt, or else its input as JSON. `null` for a row that has no text of its own, as a fork.
 * Throws `ApiError`, and an error with words for the reader where the rest of a text is not in its record.
 */
export async function readRowText(sessionId: SessionId, row: Row): Promise<string | null> {
  const whole = async (text: CutText) => {
    const copied = toCopy(sessionId, row, text);
    return (typeof copied === "string" ? copied : await copied()) || null;
  };
  switch (row.kind) {
    case "turn": {
      const prompt = await whole(row.prompt);
      return prompt && plainPrompt(prompt);
    }
    case "text":
    case "thinking":
    case "agent-return":
      return whole(row.text);
    case "compaction":
      return row.summary && whole(row.summary);
    case "event":
    case "context":
      return (await whole(row.text)) ?? row.label;
    case "tool":
      return inputText((await api.call(sessionId, row.recordId, row.block)).input);
    case "bookkeeping":
    case "unknown":
    case "unreadable":
      return api.rawRecord(sessionId, row.recordId);
    default:
      return null;
  }
}

/**
 * A row as Markdown among others: a prompt as a quote, a text as it was written, of calls a line with what they are about and
 * what came of them. `null` for one that says nothing. Throws as `readRowText` does.
 */
export async function readRowMarkdown(sessionId: SessionId, row: Row): Promise<string | null> {
  if (row.kind === "tool" || row.kind === "run") {
    const { server, name, subject } = row;
    const about = row.kind === "run" ? `${subject}: ${codeSpan(row.aside)}` : codeSpan(subject);
    const result = row.kind === "tool" && row.result ? ` — ${row.result}` : "";
    return `- **${server ? `${server} ` : ""}${name}** ${about}${result}`;
  }
  const text = await readRowText(sessionId, row);
  return text && row.kind === "turn" ? quoteText(text) : text;
}

/** A prompt without the tags that 2.1.330 puts around long pastes. */
function plainPrompt(prompt: string): string {
  return splitPastes(prompt)
    .map(({ text }) => text.trim())
    .join("\n\n");
}

/** What a call was asked to do in one text: a command for the shell, what an agent was told. */
const TEXTS_OF_INPUT = ["command", "prompt"];

function inputText(input: unknown): string {
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const text = TEXTS_OF_INPUT.map((name) => fields[name]).find((value) => typeof value === "string");
  return typeof text === "string" && text !== "" ? text : JSON.stringify(input, null, 2);
}

/** Copies a row's text, and says so, or why not. */
export async function copyRow(sessionId: SessionId, row: Row | null): Promise<void> {
  if (!row) return toast("Select a row first");
  await copyAndSay(readRowText(sessionId, row), `${rowKindFacts(row.kind).name} copied`);
}

/** Copies a text that is still being read, and says `done`, or why nothing was copied. `null`: there is none. */
export async function copyAndSay(reading: Promise<string | null>, done: string): Promise<void> {
  try {
    const copied = await copyAwaited(reading);
    if (copied === null) return toast("This row has no text to copy");
    toast(copied ? done : "The browser does not allow copying", copied ? "plain" : "err");
  } catch (error) {
    toastFailure(error, "Couldn’t read it");
  }
}

/** The command that copies rows. Where the reader has selected words, the browser copies these. */
export function copyCommand(label: string, run: () => void): KeyCommand {
  return {
    keys: ["mod+c"],
    label,
    group: "Copy and share",
    when: () => window.getSelection()?.isCollapsed !== false,
    run,
  };
}
