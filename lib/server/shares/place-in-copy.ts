import type { AskCopies } from "./copy-task";
import type { ShareRecord } from "./share-file";

const PARAMETER = /(?<=[?&])([^=&#]*)=([^&#]+)/g;

/**
 * The part of the owner's address after the session's path, converted for a share's guests: with the records of its
 * copy, which must be open. The path of a file and the searched words may contain what is redacted there.
 */
export async function placeInCopy(
  ask: AskCopies,
  { id, redact }: Pick<ShareRecord, "id" | "redact">,
  place: string,
): Promise<string> {
  const { text } = await ask({ kind: "translate", id, text: place });
  if (!redact) return text;
  const parts: string[] = [];
  let copied = 0;
  for (const { 0: parameter, index, 1: name } of text.matchAll(PARAMETER)) {
    const [value = ""] = [...new URLSearchParams(parameter).values()];
    const redacted = (await ask({ kind: "redact", id, text: value })).text;
    if (redacted === value) continue;
    parts.push(text.slice(copied, index), `${name}=${encodeURIComponent(redacted)}`);
    copied = index + parameter.length;
  }
  return parts.join("") + text.slice(copied);
}
