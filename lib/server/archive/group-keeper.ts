import type { RequestCount } from "@/lib/server/runtime/slices";
import { Archive } from "./archive";
import { type FileToKeep, type KeepResult, keepGroup } from "./keep-group";
import { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

/** The result of a group, and how much it has added to the store. */
export type GroupKept = { outcomes: KeepResult[]; storedBytes: number };

/** The parameters with which a helping thread is started. */
export type HelperStart = { folder: string; requests: RequestCount };

/** Keeps groups of files in the archive of a folder, alongside others that work on it. */
export class GroupKeeper {
  readonly #store: MeasuredStore;
  readonly #archive: Archive;

  constructor(folder: string) {
    this.#store = new MeasuredStore(new FolderStore(folder));
    this.#archive = new Archive(this.#store);
  }

  /** See `keepGroup`. One group at a time: what a group has stored is counted between them. */
  async keep(group: readonly FileToKeep[]): Promise<GroupKept> {
    const outcomes = await keepGroup(this.#archive, group);
    const { storedBytes } = this.#store;
    this.#store.storedBytes = 0;
    return { outcomes, storedBytes };
  }
}

/** Keeps groups on another thread, until there are no more. */
export type Helper = { keep: (group: FileToKeep[]) => Promise<GroupKept>; stop: () => void };
