import type { ThreadActions } from "@/components/content/row-actions";
import type { ThreadStore } from "@/components/thread/thread-store";
import { panePlaces } from "@/components/thread/use-reading-place";
import { threadUrlNow } from "@/lib/client/address/session-history";
import { formatPanePlaces, formatPermalink, threadSearch, viewOf } from "@/lib/client/address/session-url";
import { formatRowKey } from "@/lib/wire/ids";
import type { Address } from "./session-address";

/** Links to places of a session's page, in full. */
export class SessionLinks {
  readonly #thread: ThreadStore;
  readonly #address: Address;

  constructor(thread: ThreadStore, address: Address) {
    this.#thread = thread;
    this.#address = address;
  }

  /** A link to a row, open where it is open. `suffix`: lines or a hunk in it. */
  toRow: NonNullable<ThreadActions["linkTo"]> = ({ recordId, block }, suffix = "") => {
    const at = formatPermalink({ recordId, block, lines: null, hunk: null }) + suffix;
    const key = formatRowKey(recordId, block);
    return this.#placeLink(at, { open: suffix === "" && this.#thread.get().open.has(key) ? [key] : [] });
  };

  /** The address of a place of the thread: `open` lists the rows that are open there, `y` is where it stands on screen. */
  #placeLink(at: string, { y = null, open }: { y?: number | null; open: readonly string[] }): string {
    const { pathname, search, origin } = window.location;
    const beside = panePlaces(this.#address.get().panes);
    const place = {
      at,
      y,
      open: [...open, ...beside.open].join(",") || null,
      paneAt: formatPanePlaces(beside.places),
      sheet: null,
      follow: null,
    };
    return origin + pathname + threadSearch(place, search);
  }

  /** A link to what is on screen: the selected row, else the one at the top, where it stands, and what is open. */
  toView = (): string => {
    const seen = this.#thread.seen();
    if (viewOf(this.#address.get()) !== "thread" || !seen) {
      const { origin, pathname, search, hash } = window.location;
      return origin + pathname + threadSearch(threadUrlNow(), search) + hash;
    }
    const { recordId, block, offsetPx } = seen;
    const at = formatPermalink({ recordId, block, lines: null, hunk: null });
    return this.#placeLink(at, { y: Math.round(offsetPx), open: this.#thread.openInView() });
  };
}
