import { LineSplitter, type RawLine } from "@/lib/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/records/parse-record";
import { addRecord } from "@/lib/thread/add-record";
import { SessionTable } from "@/lib/thread/session-table";
import { openConfined } from "../catalog/confined-file";
import { isViewerError } from "../viewer-error";

/** A log to scan, by its absolute path. */
export type ScanFile = { path: string };

const CHUNK_BYTES = 1 << 20;

/** Long strings are cut to this before parsing: enough for every fact of the skeleton. */
const KEEP_BYTES = 512;

/**
 * Reads every line of a session's files once, in order, into a new table. An agent's file that has
 * gone or cannot be read contributes nothing and is named in `unread`; without the main log there is
 * no session, so its ViewerError is thrown. A half line at the end waits to be finished.
 * @param onProgress bytes read so far, after every chunk
 */
export async function scanSession(
  root: string,
  files: readonly ScanFile[],
  onProgress?: (bytesDone: number) => void,
): Promise<{ table: SessionTable; unread: number[] }> {
  const table = new SessionTable();
  const unread: number[] = [];
  const buffer = new Uint8Array(CHUNK_BYTES);
  let bytesDone = 0;
  for (const [file, { path }] of files.entries()) {
    const splitter = new LineSplitter();
    const take = (line: RawLine) => {
      for (const record of parseLine(line, { keepBytes: KEEP_BYTES })) {
        addRecord(table, file, record, () => parseRecord(line));
      }
    };
    try {
      const handle = await openConfined(root, path);
      try {
        for (;;) {
          const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
          if (bytesRead === 0) break;
          splitter.push(buffer.subarray(0, bytesRead), take);
          bytesDone += bytesRead;
          onProgress?.(bytesDone);
        }
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (file === 0 || !isViewerError(error)) throw error;
      unread.push(file);
    }
  }
  return { table, unread };
}
