import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A file to be written: its path, with `/`, and its content in pieces. */
export type FileInZip = { path: string; pieces: AsyncGenerator<string | Uint8Array> };

/**
 * A zip of these files, in pieces, each file written as it is made: one at a time, and no faster than the zip is read.
 * When its reader stops, the file being made is ended. Throws what making a file throws.
 */
export async function* zipOf(files: AsyncIterable<FileInZip>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error: Error) => output.destroy(error));
  let content: Readable | null = null;
  let isLeft = false;
  const write = async () => {
    for await (const { path, pieces } of files) {
      await new Promise<void>((written, failed) => {
        // Its size is not known in advance, so it may need 64 bits for sizes.
        zip.addReadStreamLazy(path, { mode: 0o100_600, forceZip64Format: true }, (take) => {
          content = Readable.from(pieces, { objectMode: false });
          // Closed when it has ended, and when nobody reads on.
          content.once("close", written).once("error", failed);
          take(null, content);
        });
      });
      if (isLeft) return;
    }
    zip.end();
  };
  write().catch((error: unknown) => output.destroy(error as Error));
  try {
    for await (const bytes of output) yield bytes as Uint8Array;
  } finally {
    isLeft = true;
    (content as Readable | null)?.destroy();
  }
}
