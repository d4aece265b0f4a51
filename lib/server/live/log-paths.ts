import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Catalog } from "@/lib/server/library/catalog";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";

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
