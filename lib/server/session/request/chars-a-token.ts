import { contextTokens } from "@/lib/log/table/message-tokens";
import type { OpenSession } from "@/lib/server/session/open-session";
import type { ApiMessage, MessageNote } from "@/lib/wire/model-requests/messages";

/** A conversation that has grown by less says little of how its texts are counted. */
const MIN_GROWN_TOKENS = 1000;
/** Other values are not those of texts: images have none, and after a compaction an answer's request had other messages. */
const MIN_CHARS_A_TOKEN = 1;
const MAX_CHARS_A_TOKEN = 12;

/**
 * How many characters were a token in the conversation of a request: what it has more than the request of an earlier
 * answer in it, against the tokens that it has more. Null where no two requests of one model tell.
 * @param message number of the request's answer, -1 where there is none
 * @param messages what was sent, with a note on each
 */
export function measuredCharsAToken(
  session: OpenSession,
  message: number,
  messages: readonly ApiMessage[],
  notes: readonly MessageNote[],
): number | null {
  const { table } = session;
  if (message === -1) return null;
  const sent = contextTokens(table, message);
  let charsLeft = notes.reduce((sum, { chars }) => sum + chars, 0);
  for (const [index, { role }] of messages.entries()) {
    const note = notes[index];
    const tokens = role === "assistant" && note ? sentBefore(session, note, message) : 0;
    const charsAToken = charsLeft / (sent - tokens);
    const isText = charsAToken >= MIN_CHARS_A_TOKEN && charsAToken <= MAX_CHARS_A_TOKEN;
    if (tokens > 0 && sent - tokens >= MIN_GROWN_TOKENS && isText) return Math.round(charsAToken * 100) / 100;
    charsLeft -= note?.chars ?? 0;
  }
  return null;
}

/** The tokens that an answer was sent, as the same model counts them; 0 where the log does not tell. */
function sentBefore(session: OpenSession, { recordIds: [first] }: MessageNote, message: number): number {
  if (first === undefined) return 0;
  const { records, messages } = session.table;
  const earlier = records.message.at(session.find(first));
  if (earlier === -1 || messages.model.at(earlier) !== messages.model.at(message)) return 0;
  return contextTokens(session.table, earlier);
}
