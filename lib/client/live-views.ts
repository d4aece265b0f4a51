import { createContext, useContext, useEffect } from "react";
import type { Row } from "@/lib/wire/rows";
import type { ThreadChoice } from "./thread-url";
import type { ThreadWindows } from "./thread-windows";

/** A thread on screen, and its rows. */
export type ShownThread = { choice: ThreadChoice; windows: ThreadWindows<Row> };

/** What one stream carries beside its own thread (`agents` of `GET /api/events`). */
const MOST_BESIDE = 16;
/** Panes that open together are one change. */
const TOGETHER_MS = 30;

/**
 * The agents' threads that stand beside the page's own. A browser has six connections to a server, so all of
 * them come on the page's one stream; those beyond what it carries are renewed when the session changes.
 */
export class LiveViews {
  private readonly threads = new Set<ShownThread>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** Called when the threads are others than before. */
  onChange: () => void = () => undefined;

  all(): ShownThread[] {
    return [...this.threads];
  }

  /** Those that a stream of `agent`'s thread carries; the same agent twice would not be told apart. */
  beside(agent: string | null): ShownThread[] {
    return this.all()
      .filter(({ choice }) => choice.agent !== agent)
      .slice(0, MOST_BESIDE);
  }

  add(thread: ShownThread): () => void {
    this.threads.add(thread);
    this.tell();
    return () => {
      this.threads.delete(thread);
      this.tell();
    };
  }

  private tell(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.onChange();
    }, TOGETHER_MS);
  }
}

export const LiveViewsContext = createContext<LiveViews | null>(null);

/** Has the page's stream carry this thread for as long as it is shown. */
export function useLiveView(thread: ShownThread | null): void {
  const views = useContext(LiveViewsContext);
  useEffect(() => (thread ? views?.add(thread) : undefined), [views, thread]);
}
