import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { Catalog } from "@/lib/server/library/catalog";
import type { RootFolder } from "@/lib/server/runtime/config";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { WatchedRoots } from "./root-watcher";

type LogSize = { path: string; bytes: number; listedBytes: number };

/** Maps paths on disk to the sessions they belong to. */
export class LogPaths {
  readonly #catalog: Catalog;
  #byPath: Map<string, SessionId> | null = null;
  #byFolder = new Map<string, SessionId>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Must be called whenever the catalogue has listed something. */
  forget(): void {
    this.#byPath = null;
  }

  /** The session of a log or of an agent's meta file. Null for files that are not listed. */
  sessionOf(path: string): SessionId | null {
    return this.#paths().get(path) ?? null;
  }

  /** Any session whose folder, when it is listed again, is listed with this path. */
  neighbourOf(path: string): SessionId | null {
    this.#paths();
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const id = this.#byFolder.get(folder);
      if (id && this.#catalog.refreshFinds(id, path)) return id;
      if (folder === dirname(folder)) return null;
    }
  }

  /** The session's logs as they are now, each with its size when it was listed. Without those that are not on disk. */
  async sizesNow(id: SessionId): Promise<LogSize[]> {
    try {
      const { main, agents } = this.#catalog.sessionFiles(id);
      const sizes: LogSize[] = [];
      for (const { path, bytes: listedBytes } of [main, ...agents]) {
        const found = await stat(path).catch(() => null);
        if (found) sizes.push({ path, listedBytes, bytes: found.size });
      }
      return sizes;
    } catch (error) {
      if (isViewerError(error)) return [];
      throw error;
    }
  }

  #paths(): Map<string, SessionId> {
    if (this.#byPath) return this.#byPath;
    const paths = new Map<string, SessionId>();
    this.#byFolder = new Map();
    for (const { id } of this.#catalog.summaries()) {
      const { main, agents } = this.#catalog.sessionFiles(id);
      paths.set(main.path, id);
      this.#byFolder.set(dirname(main.path), id);
      for (const { path, metaPath } of agents) {
        paths.set(path, id);
        if (metaPath) paths.set(metaPath, id);
      }
    }
    this.#byPath = paths;
    return paths;
  }
}

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
      const parts = ["projects", "conversations", "sessions"].map((name) =>
        join(/*turbopackIgnore: true*/ root.path, name),
      );
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
