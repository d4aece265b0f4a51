import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import { threadUrlNow } from "@/lib/client/address/session-history";
import { Listeners } from "@/lib/client/listeners";
import type { FileVersion } from "@/lib/wire/files";

/** A reader who stays at a version so long wants to read it. */
const REST_MS = 80;

/** Where a reader is, as indices of versions. `shown`: the one that is named and marked; `read`: the one whose text is drawn. */
type Place = { shown: number; read: number };

/**
 * A reader's way through the versions of a file, ahead of the address, which is written when it has ended. Whatever
 * follows it is drawn once a frame at most. The text of a single step is drawn in the frame after; of versions that are
 * passed faster than one can read them, that of the one on which the reader comes to rest.
 */
export class VersionWalk {
  readonly #write: (index: number) => void;
  /** The version that the address names. */
  #settled = -1;
  /** Where the reader is going; `null` while he is where the address says, as is `place`, which is where he is drawn. */
  #goal: number | null = null;
  #place: Place | null = null;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Listeners();

  /** @param write has the address say a version, a moment after the last one */
  constructor(write: (index: number) => void) {
    this.#write = write;
  }

  subscribe = this.#listeners.add;

  get = (): Place | null => this.#place;

  /** The version that the reader is at, whether it is drawn already or not. */
  at = (): number => this.#goal ?? this.#settled;

  /** Goes to a version. */
  show = (index: number): void => {
    if (index === this.at()) return;
    this.#goal = index;
    this.#write(index);
    const isStep = this.#rest === undefined;
    this.#frame ||= requestAnimationFrame(() => this.#draw(isStep));
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#read();
    }, REST_MS);
  };

  /**
   * The address names a version. What it says is the end of the way, unless it is about to say where that leads
   * (`next`): whatever else changes the version, such as a way back, is where the reader is then.
   */
  arrive(settled: number, next: number): void {
    this.#settled = settled;
    if (this.#goal === null || (this.#goal === next && this.#goal !== settled)) return;
    this.stop();
    this.#goal = null;
    this.#put(null);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#frame = 0;
    this.#rest = undefined;
  }

  #draw(isStep: boolean): void {
    this.#put({ shown: this.at(), read: this.#place?.read ?? this.#settled });
    this.#frame = isStep ? requestAnimationFrame(() => this.#read()) : 0;
  }

  #read(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#put({ shown: this.at(), read: this.at() });
  }

  #put(place: Place | null): void {
    const was = this.#place;
    if (was?.shown === place?.shown && was?.read === place?.read) return;
    this.#place = place;
    this.#listeners.tell();
  }
}

/** What the views of a file's versions are drawn from, each with what of it concerns that view. */
export type Walked = { walk: VersionWalk; versions: readonly FileVersion[]; settled: number };

/**
 * The way of a reader through these versions, of which the address names `named`, none for the last one.
 * @param write has the address name a version, a moment after the last one
 */
export function useVersionWalk(
  versions: readonly FileVersion[],
  named: string | null,
  write: (index: number) => void,
): Walked {
  const [walk] = useState(() => new VersionWalk(write));
  const settled = indexOf(versions, named);
  useLayoutEffect(
    () => walk.arrive(settled, indexOf(versions, threadUrlNow().version)),
    [walk, versions, settled],
  );
  useLayoutEffect(() => () => walk.stop(), [walk]);
  return useMemo(() => ({ walk, versions, settled }), [walk, versions, settled]);
}

function indexOf(versions: readonly FileVersion[], id: string | null): number {
  const index = versions.findIndex((version) => version.id === id);
  return index === -1 ? versions.length - 1 : index;
}

/** The version that is named and marked; draws again with every one that is passed. */
export function useShownVersion({ walk, settled }: Walked): number {
  return useSyncExternalStore(
    walk.subscribe,
    () => walk.get()?.shown ?? settled,
    () => settled,
  );
}

/** The version whose text is drawn. */
export function useReadVersion({ walk, settled }: Walked): number {
  return useSyncExternalStore(
    walk.subscribe,
    () => walk.get()?.read ?? settled,
    () => settled,
  );
}
