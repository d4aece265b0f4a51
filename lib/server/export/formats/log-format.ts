import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import type { Rewriting } from "@/lib/redact/home-folder";
import { fileBytes } from "@/lib/server/disk/read-range";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { Pieces, Source } from "./source";

/** The main log byte for byte, or its lines redacted. If there are several logs, each begins on a line of its own. */
export async function* writeLogs({ files, redaction }: Source): Pieces {
  let last = NEWLINE[0];
  for (const log of files.main.gone ? files.agents : [files.main]) {
    const bytes = fileBytes(files.root, log.path);
    if (last !== NEWLINE[0]) yield NEWLINE;
    for await (const piece of redaction ? redactedLines(bytes, redaction) : bytes) {
      last = piece.at(-1) ?? last;
      yield piece;
    }
  }
}

/** The bytes of a log with its secrets replaced; lines without any stay byte for byte. */
async function* redactedLines(
  log: AsyncGenerator<Uint8Array>,
  redaction: Rewriting,
): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const redacted = ({ bytes }: RawLine) => {
    const line = decoder.decode(bytes);
    const changed = redaction.redactLine(line);
    return changed === line ? bytes : Buffer.from(changed);
  };
  for await (const chunk of log) {
    const lines: RawLine[] = [];
    splitter.push(chunk, (line) => lines.push(line));
    const written: Uint8Array[] = [];
    for (const line of lines) {
      written.push(redacted(line), NEWLINE);
      await nextSlice();
    }
    yield Buffer.concat(written);
  }
  const rest = splitter.rest();
  if (rest) yield redacted(rest);
}

const NEWLINE = Buffer.from("\n");
