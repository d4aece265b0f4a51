import { faultCode } from "@/lib/server/disk/file-fault";
import type { FoundFile } from "@/lib/server/disk/folder-entries";
import { countFileLines } from "@/lib/server/disk/read-range";
import { isViewerError } from "@/lib/server/runtime/viewer-error";

/** Lines in files that belong to no session: journals, logs without a message, agents without a session. */
export class OutsideLines {
  readonly #counted = new Map<string, { bytes: number; lines: number }>();
  total = 0;

  /** Counts again what has changed. `known` gives the line counts of files that were already read whole. */
  async count(
    files: readonly { root: string; file: FoundFile }[],
    known: (path: string) => number | null,
  ): Promise<void> {
    let total = 0;
    for (const { root, file } of files) {
      const before = this.#counted.get(file.path);
      const lines =
        before?.bytes === file.bytes ? before.lines : (known(file.path) ?? (await linesOf(root, file)));
      this.#counted.set(file.path, { bytes: file.bytes, lines });
      total += lines;
    }
    this.total = total;
  }
}

async function linesOf(root: string, file: FoundFile): Promise<number> {
  try {
    return file.bytes === 0 ? 0 : await countFileLines(root, file.path);
  } catch (error) {
    if (isViewerError(error) || faultCode(error) !== null) return 0; // gone or unreadable: there is no line to count
    throw error;
  }
}
