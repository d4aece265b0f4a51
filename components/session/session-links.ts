import type { ThreadActions } from "@/components/content/row-actions";
import type { ThreadStore } from "@/components/thread/thread-store";
import { panePlaces } from "@/components/thread/use-reading-place";
import { threadUrlNow } from "@/lib/client/address/session-history";
import {
  formatPanePlaces,
  formatPermalink,
  type PanePlace,
  threadSearch,
  viewOf,
} from "@/lib/client/address/session-url";
import { type AgentId, formatRowKey } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
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
  toRow: NonNullable<ThreadActions["linkTo"]> = (row, suffix = "") =>
    this.#placeLink(placeOf(row, suffix), { open: openedIn(this.#thread, row, suffix) });

  /**
   * A link to a row of an agent's thread beside the page's own, which stays where it is: the row is named for the pane,
   * since as the page's own place it would have the agent's thread in the place of the main one, and once more beside it.
   */
  toRowBeside = (
    agent: AgentId,
    beside: ThreadStore,
    row: Pick<Row, "recordId" | "block">,
    suffix = "",
  ): string => {
    const seen = this.#thread.seen();
    const at = placeOf(row, suffix);
    // Where the page's own thread is not on screen, the row is all that there is to name.
    if (!seen) return this.#placeLink(at, { open: openedIn(beside, row, suffix) });
    return this.#placeLink(
      placeOf(seen, ""),
      {
        y: Math.round(seen.offsetPx),
        open: [...this.#thread.openInView(), ...openedIn(beside, row, suffix)],
      },
      { agent, at, y: null },
    );
  };

  /**
   * The address of a place of the thread: `open` lists the rows that are open there, `y` is where it stands on screen.
   * `meant`: the place of a pane that is linked to, in place of where that is read.
   */
  #placeLink(
    at: string,
    { y = null, open }: { y?: number | null; open: readonly string[] },
    meant?: PanePlace,
  ): string {
    const { pathname, search, origin } = window.location;
    const beside = panePlaces(this.#address.get().panes);
    const places = beside.places.filter(({ agent }) => agent !== meant?.agent);
    const place = {
      at,
      y,
      open: [...new Set([...open, ...beside.open])].join(",") || null,
      paneAt: formatPanePlaces(meant ? [...places, meant] : places),
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
    return this.#placeLink(placeOf(seen, ""), {
      y: Math.round(seen.offsetPx),
      open: this.#thread.openInView(),
    });
  };
}

/** A row's place as an address names it. */
function placeOf({ recordId, block }: Pick<Row, "recordId" | "block">, suffix: string): string {
  return formatPermalink({ recordId, block, lines: null, hunk: null }) + suffix;
}

/** The row's key, if it is open; a link to lines or a hunk opens it anyway. */
function openedIn(
  thread: ThreadStore,
  { recordId, block }: Pick<Row, "recordId" | "block">,
  suffix: string,
): string[] {
  const key = formatRowKey(recordId, block);
  return suffix === "" && thread.get().open.has(key) ? [key] : [];
}
