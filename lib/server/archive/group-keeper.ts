import type { RequestCount } from "@/lib/server/runtime/slices";
import { Archive } from "./archive";
import { keepGroup, type Outcome, type Wanted } from "./keep-group";
import { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

/** What came of a group, and how much it has added to what is stored. */
export type GroupKept = { outcomes: Outcome[]; storedBytes: number };

/** What a helping thread is started with. */
export type HelperStart = { folder: string; requests: RequestCount };

/** Keeps groups of files in the archive of a folder, beside whoever else works on it. */
export class GroupKeeper {
  readonly #store: MeasuredStore;
  readonly #archive: Archive;

  constructor(folder: string) {
    this.#store = new MeasuredStore(new FolderStore(folder));
    this.#archive = new Archive(this.#store);
  }

  async keep(group: readonly Wanted[]): Promise<GroupKept> {
    const outcomes = await keepGroup(this.#archive, group);
    const { storedBytes } = this.#store;
    this.#store.storedBytes = 0;
    return { outcomes, storedBytes };
  }
}

/** Someone who keeps groups on another thread, until there are no more. */
export type Helper = { keep: (group: Wanted[]) => Promise<GroupKept>; stop: () => void };
