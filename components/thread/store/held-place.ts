import { forkAnchor, indexOfKey } from "@/components/thread/list/scroll-restoration";
import type { Anchor } from "@/components/thread/open-thread";
import type { ThreadCore } from "./thread-core";

/** Which row stays where it is when the thread around it changes. */
export class HeldPlace {
  private fork: string | null = null;
  private run: string | null = null;
  private released = false;

  constructor(private readonly core: ThreadCore) {}

  /** When the thread changes next, it opens at what the address names. */
  release(): void {
    this.released = true;
  }

  /** The thread has changed. */
  opened(): void {
    this.released = false;
  }

  /** The row of this key, which offers another branch, stays in place and is selected. */
  holdFork(key: string): void {
    this.fork = key;
  }

  /** The row of this key, which opens or closes a run, stays in place and is selected. */
  holdRun(key: string): void {
    this.run = key;
  }

  /** The row on screen that should stay where it is when the thread around it changes; `null` for none. */
  anchor(): Anchor | null {
    const list = this.core.list.current;
    const windows = this.core.shown()?.windows;
    if (this.released || !list || !windows) return null;
    const fork = forkAnchor(windows.loaded(), this.fork);
    this.fork = null;
    const forkPx = fork && list.offsetOf(fork.index);
    if (fork && forkPx !== null) {
      const { recordId, block } = fork.row;
      return { recordId, block, offsetPx: forkPx, selected: false, fork: true };
    }
    const held = this.run === null ? null : indexOfKey(windows.loaded(), this.run);
    this.run = null;
    const { first, last } = list.inView();
    const { selected } = this.core.get().position;
    const visible = selected !== null && selected >= first && selected <= last;
    const index = held ?? (visible ? selected : first);
    const row = windows.itemAt(index);
    const offsetPx = list.offsetOf(index);
    if (!row || offsetPx === null) return null;
    const { recordId, block } = row;
    return { recordId, block, offsetPx, selected: held !== null || visible, focused: list.hasFocus() };
  }
}
