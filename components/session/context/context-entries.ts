import { clip } from "@/lib/format/clip";
import type { RecordId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/messages";
import { type ContextBlock, contextBlocks } from "./context-blocks";

/** Who speaks: a person, the model, tools, or the client itself (reminders, memory). */
export type ContextKind = "you" | "answer" | "result" | "client";

/** A message of a request in one line. `number` counts from 1, as the request has them. */
export type ContextEntry = {
  number: number;
  kind: ContextKind;
  subject: string;
  chars: number;
  isNew: boolean;
  recordIds: RecordId[];
  message: ApiMessage;
};

const SUBJECT_LENGTH = 200;

/** The messages of a request, each in one line. A result is named by the call that it answers. */
export function contextEntries({ messages, notes }: MessagesResponse): ContextEntry[] {
  const callNames = new Map<string, string>();
  return messages.map((message, index) => {
    const blocks = contextBlocks(message.content);
    for (const block of blocks) if (block.kind === "call") callNames.set(block.id, callWords(block));
    const note = notes[index];
    return {
      number: index + 1,
      ...describe(message.role, blocks, callNames),
      chars: note?.chars ?? 0,
      isNew: note?.isNew ?? false,
      recordIds: note?.recordIds ?? [],
      message,
    };
  });
}

function describe(
  role: ApiMessage["role"],
  blocks: readonly ContextBlock[],
  callNames: ReadonlyMap<string, string>,
): Pick<ContextEntry, "kind" | "subject"> {
  if (role === "assistant") return { kind: "answer", subject: answerWords(blocks) };
  const results = blocks.filter((block) => block.kind === "result");
  if (results.length > 0) return { kind: "result", subject: resultWords(results, callNames) };
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  // What a person wrote stands behind what the client put before it.
  const spoken =
    role === "system" ? undefined : texts.findLast((text) => !isClientText(text) && text.trim() !== "");
  if (spoken !== undefined) return { kind: "you", subject: firstLine(spoken) };
  const media = blocks.filter((block) => block.kind === "media");
  if (media.length > 0) return { kind: "you", subject: media.map(({ type }) => type).join(", ") };
  return { kind: "client", subject: firstLine(texts.join("\n").replace(/<\/?system-reminder>/g, "")) };
}

/** What the client writes into a prompt is wrapped in tags of its own. */
function isClientText(text: string): boolean {
  return /^\s*<(system-reminder|ide_|local-command|command-)/.test(text);
}

function answerWords(blocks: readonly ContextBlock[]): string {
  const text = blocks.find((block) => block.kind === "text" && block.text.trim() !== "");
  if (text?.kind === "text") return firstLine(text.text);
  const calls = blocks.filter((block) => block.kind === "call");
  if (calls.length === 1 && calls[0]) return callWords(calls[0]);
  if (calls.length > 1) return countNames(calls.map(({ name }) => name));
  return blocks.some(({ kind }) => kind === "thinking") ? "thinking" : "nothing";
}

function resultWords(
  results: readonly Extract<ContextBlock, { kind: "result" }>[],
  callNames: ReadonlyMap<string, string>,
): string {
  const names = results.map(({ callId }) => callNames.get(callId) ?? "a call before this request");
  const [only] = results;
  if (results.length > 1 || !only) return countNames(names.map((name) => name.split(" ")[0] ?? name));
  const text = only.blocks.find((block) => block.kind === "text");
  return clip(`${names[0]}: ${text?.kind === "text" ? firstLine(text.text) : "no text"}`, SUBJECT_LENGTH);
}

/** `Bash npm test`: a call by its name and the first string of its input. */
function callWords({ name, input }: Extract<ContextBlock, { kind: "call" }>): string {
  const first = Object.values((input ?? {}) as Record<string, unknown>).find(
    (value): value is string => typeof value === "string",
  );
  return first === undefined ? name : firstLine(`${name} ${first}`);
}

/** `Read ×3, Grep`, in the order of their first mention. */
function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(", ");
}

function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return clip(line.trim(), SUBJECT_LENGTH);
}
