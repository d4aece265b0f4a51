import { toPrintableJson } from "@/lib/format/text";
import type { Pieces, Source } from "./source";

/** The messages that the model would be sent next. */
export async function* writeMessages({ sessions, files: { id } }: Source): Pieces {
  yield '{\n "source": "rebuilt",\n "messages": [';
  let separator = "\n";
  for await (const message of sessions.conversation(id)) {
    // No text in JSON has a line end of its own.
    yield `${separator}  ${toPrintableJson(message, 1).replaceAll("\n", "\n  ")}`;
    separator = ",\n";
  }
  yield separator === "\n" ? "]\n}\n" : "\n ]\n}\n";
}
