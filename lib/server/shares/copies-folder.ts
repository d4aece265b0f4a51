import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import { SHARE_TIMES } from "@/lib/wire/shares";

const FOLDER_START = "backscroll-shares-";

/** The folder of this server's copies, for its user alone, which goes with the server. */
export class CopiesFolder {
  /** Says nothing about the owner's folders. */
  readonly path: string;
  // A thread may still have a file open: then the next server removes it.
  readonly #remove = () => unlessRefused(() => rmSync(this.path, { recursive: true, force: true }));

  constructor() {
    // Windows may call the temporary folder by short names (`C:\Users\LONGUS~1\…`), which the copies' own library does not.
    this.path = realpathSync.native(
      mkdtempSync(join(tmpdir(), `${FOLDER_START}${process.pid}${ofNamespace()}-`)),
    );
    process.once("exit", this.#remove);
  }

  /**
   * Removes the folder, and once more what was written into it until `written` settles. Until then the end of the process
   * removes it too.
   */
  async remove(written: Promise<unknown>): Promise<void> {
    this.#remove();
    await written;
    this.#remove();
    process.off("exit", this.#remove);
  }
}

/** Containers that share a temporary folder do not see each other's processes. */
function ofNamespace(): string {
  const namespace = pidNamespace();
  return namespace === null ? "" : `.${namespace}`;
}

/** Removes the copies of servers that were killed, as far as they are this user's. */
export function removeLeftCopies(): void {
  for (const name of unlessRefused(() => readdirSync(tmpdir())) ?? []) {
    const [, pid, namespace = ""] = new RegExp(`^${FOLDER_START}(\\d+)(\\.\\d+)?-`).exec(name) ?? [];
    if (pid === undefined) continue;
    const folder = join(tmpdir(), name);
    const isKilled = namespace === ofNamespace() && !isRunning(Number(pid));
    if (isKilled || isForgotten(folder))
      unlessRefused(() => rmSync(folder, { recursive: true, force: true }));
  }
}

/**
 * No link whose copy was ever made in this folder is valid any more. That tells a killed server's in another container, of
 * which every start may be another one, or where another process has its pid by now.
 */
function isForgotten(folder: string): boolean {
  const changedMs = unlessRefused(() => statSync(folder))?.mtimeMs ?? Date.now();
  return Date.now() - changedMs > SHARE_TIMES.most;
}

function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (faultCode(error) !== null) return null;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return faultCode(error) !== "ESRCH";
  }
}
