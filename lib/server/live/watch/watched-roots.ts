import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { RootFolder } from "@/lib/server/runtime/config";

/** The relevant entries of a configuration folder: those with logs, and the clients' registry. */
export const WATCHED_IN_CONFIG: readonly string[] = ["projects", "conversations", "sessions"];

export type WatchedRoots = {
  /** Configuration folders: only logs and the clients' registry in them count. */
  configs: readonly string[];
  /** Folders that contain logs at any depth. */
  logs: readonly string[];
};

/**
 * The folders to watch for these roots: a configuration folder with its logs and its registry, or a loose folder or the
 * folder of a loose log. Real paths, as in the catalogue.
 */
export async function watchedRoots(roots: readonly RootFolder[]): Promise<WatchedRoots> {
  const logs: string[] = [];
  const configs: string[] = [];
  for (const root of roots) {
    if (root.kind === "config") {
      // The folder itself as well: the others may only be created with the first session.
      const parts = WATCHED_IN_CONFIG.map((name) => join(/*turbopackIgnore: true*/ root.path, name));
      const [real, ...inner] = await existing([root.path, ...parts]);
      if (real) configs.push(real);
      logs.push(...inner);
    } else {
      for (const path of await existing([root.path]))
        logs.push((await stat(path)).isFile() ? dirname(path) : path);
    }
  }
  return { logs, configs };
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    try {
      found.push(await realpath(path));
    } catch (error) {
      if (faultCode(error) === null) throw error;
    }
  }
  return found;
}
