import { tagContent, userTextKind, withoutElement, withoutTags } from "./user-text";

/**
 * What work in the background reported, as a reader sees it. `status` is `null` too where the summary says it.
 * `answer`: an agent's `<result>`, a monitor's `<event>`, a message of another agent; empty where there is none.
 */
export type Notification = { summary: string | null; status: string | null; answer: string };

const ANSWERS = ["result", "event"];
const MESSAGE = /^\s*<([a-z-]+-message)(?: [^<>]*)?>/;

/** Takes a notification's text apart, `<task-notification>…` (2.1 and later) or what 2.0.76 writes instead. */
export function readNotification(text: string): Notification {
  return partsOf(text).notification;
}

/**
 * The texts of a notification: those that its row shows, a line each, and the rest of it without tags (ids, paths,
 * usage, notes for the model).
 */
export function notificationTexts(text: string): { shown: string; rest: string } {
  const { notification, head, tail } = partsOf(text);
  const { summary, status, answer } = notification;
  const shown = [summary, answer, status].filter(Boolean).join("\n");
  const rest = withoutTags(`${withoutElement(withoutElement(head, "summary"), "status")}\n${tail}`);
  return { shown, rest };
}

/** Whether a text is a notification of work in the background. */
export function isNotification(text: string): boolean {
  return userTextKind(text) === "notification";
}

/** `head` and `tail`: the text before and after the answer, which may contain any tag itself. */
function partsOf(text: string): { notification: Notification; head: string; tail: string } {
  const { head, answer, tail } = cutAnswer(text);
  const summary = tagContent(head, "summary");
  const status = tagContent(head, "status");
  const isSaid = status !== null && summary !== null && summary.toLowerCase().includes(status.toLowerCase());
  return { notification: { summary, status: isSaid ? null : status, answer }, head, tail };
}

function cutAnswer(text: string): { head: string; answer: string; tail: string } {
  const message = MESSAGE.exec(text);
  if (message) {
    const close = text.lastIndexOf(`</${message[1]}>`);
    const from = message.index + message[0].length;
    const to = close < from ? text.length : close;
    return { head: text.slice(0, from), answer: text.slice(from, to).trim(), tail: text.slice(to) };
  }
  let first: { tag: string; at: number } | null = null;
  for (const tag of ANSWERS) {
    const at = text.indexOf(`<${tag}>`);
    if (at !== -1 && (first === null || at < first.at)) first = { tag, at };
  }
  if (first === null) return { head: text, answer: "", tail: "" };
  const from = first.at + first.tag.length + 2;
  // The last one: an answer may quote a tag. Not closed, it was cut.
  const close = text.lastIndexOf(`</${first.tag}>`);
  const to = close < from ? text.length : close;
  return { head: text.slice(0, first.at), answer: text.slice(from, to).trim(), tail: text.slice(to) };
}
