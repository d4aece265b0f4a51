/** What the text of a user line is. Only `prompt` was typed by a person as a message. */
export type UserTextKind =
  | "prompt"
  | "command"
  | "bash"
  | "output"
  | "interruption"
  | "notification"
  | "summary"
  | "tagged";

const TAG = /^\s*<([a-z][a-z0-9_-]*)[ >]/;

const KIND_OF_TAG: ReadonlyMap<string, UserTextKind> = new Map([
  ["command-name", "command"],
  ["command-message", "command"],
  ["bash-input", "bash"],
  // `# note`, before 2.0.
  ["user-memory-input", "command"],
  ["bash-stdout", "output"],
  ["bash-stderr", "output"],
  ["local-command-stdout", "output"],
  ["local-command-stderr", "output"],
  ["task-notification", "notification"],
  // 2.0.76
  ["bash-notification", "notification"],
  ["agent-notification", "notification"],
  ["agent-message", "notification"],
  ["teammate-message", "notification"],
  ["cross-session-message", "notification"],
  // 1.0.128 writes hook output in plain user lines.
  ["user-prompt-submit-hook", "tagged"],
  ["session-start-hook", "tagged"],
  ["post-tool-use-hook", "tagged"],
  ["local-command-caveat", "tagged"],
  ["system-reminder", "tagged"],
  ["new-diagnostics", "tagged"],
  ["ide_opened_file", "tagged"],
  ["ide_selection", "tagged"],
  ["ide_diagnostics", "tagged"],
  ["tool_use_error", "tagged"],
]);

/**
 * What a hook said at a turn's end, and 1.0.90 of a call that it did not like. The tool's name is of bounded length: a
 * pasted text may be megabytes without a blank.
 */
function isHookFeedback(text: string): boolean {
  return text.startsWith("Stop hook feedback:") || /^\S{1,200} operation feedback:\n- /.test(text);
}

/** Tells a person's message from text that the client writes in the user's name. An unknown tag counts as a person's: people paste HTML. */
export function userTextKind(text: string): UserTextKind {
  if (text.startsWith("[Request interrupted by user")) return "interruption";
  // 1.0.128 answers an unknown command in a plain user line, and so do 2.1.90 (a skill) and 2.1.126.
  if (/^Unknown (?:slash command:|skill: \S+$|command: \/\S+$)/.test(text)) return "output";
  // 2.0.76, a skill called as a command.
  if (text.startsWith("This slash command can only be invoked by Claude")) return "output";
  // Clients before 1.0 mark the summary of a compaction in no other way.
  if (text.startsWith("This session is being continued from a previous conversation")) return "summary";
  if (isHookFeedback(text)) return "tagged";
  const tag = TAG.exec(text)?.[1];
  return (tag && KIND_OF_TAG.get(tag)) || "prompt";
}

/** The inside of the first `<tag>…</tag>`, trimmed, or `null`. An unclosed tag reaches to the end. */
export function tagContent(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const start = text.indexOf(open);
  if (start === -1) return null;
  const end = text.indexOf(`</${tag}>`, start);
  return text.slice(start + open.length, end === -1 ? undefined : end).trim();
}

/** A text without its first `<tag>…`, of which the end may stay as a tag. An unclosed one reaches to the end. */
export function withoutElement(text: string, tag: string): string {
  const from = text.indexOf(`<${tag}>`);
  if (from === -1) return text;
  const close = text.indexOf(`</${tag}>`, from);
  return text.slice(0, from) + (close === -1 ? "" : text.slice(close));
}

const ANY_TAG = /<\/?[a-z][a-z0-9_-]*(?: [^<>]*)?>/g;

/** What stands between the tags of a text, a line each, without the blanks around it. */
export function withoutTags(text: string): string {
  return text
    .replace(ANY_TAG, "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}

/** A slash command as typed: `/review 2214`. */
export function commandLine(text: string): string {
  const name = tagContent(text, "command-name") ?? tagContent(text, "command-message") ?? "";
  const args = tagContent(text, "command-args");
  const slashed = name.startsWith("/") ? name : `/${name}`;
  return args ? `${slashed} ${args}` : slashed;
}

/** Tags that editors and the client add around typed text. */
const INJECTED = [
  "system-reminder",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "new-diagnostics",
  // 2.1.332: what an agent of /subtask is told ahead of its directive.
  "fork-boilerplate",
];

/** The part of a text that a person typed, without what was injected around it. */
export function typedText(text: string): string {
  return takeApart(text).typed.trim();
}

/** What was injected around a typed text, joined by newlines; empty where nothing was. */
export function injectedText(text: string): string {
  return takeApart(text).injected.join("\n");
}

/** True where such a tag is opened and not closed: the text may have been cut. */
export function isOpenEnded(text: string): boolean {
  return INJECTED.some((name) => {
    const open = text.lastIndexOf(`<${name}>`);
    return open !== -1 && !text.includes(`</${name}>`, open);
  });
}

function takeApart(text: string): { typed: string; injected: string[] } {
  const injected: string[] = [];
  const typed = text.includes("<")
    ? INJECTED.reduce((rest, name) => withoutTag(rest, name, injected), text)
    : text;
  return { typed, injected };
}

/** Linear, even where a tag is opened a thousand times and never closed. */
function withoutTag(text: string, name: string, taken: string[]): string {
  const open = `<${name}>`;
  const close = `</${name}>`;
  let kept = "";
  let at = 0;
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, at)) {
    const to = text.indexOf(close, from);
    if (to === -1) break;
    kept += text.slice(at, from);
    at = to + close.length;
    taken.push(text.slice(from, at));
  }
  return kept + text.slice(at);
}
