import { createContext, useContext, useEffect } from "react";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import type { StreamedThread } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";
import type { ThreadWindows } from "./thread-windows";

/** A thread on screen, and its rows. */
export type ShownThread = { choice: ThreadChoice; windows: ThreadWindows<Row> };

/** An agent's thread, as `agents` of the stream names it. */
export function agentView({ agent, branch, runs }: ThreadChoice): string {
  const folded = runs === null ? "" : `!${runs.replaceAll(",", "!")}`;
  return `${agent}${branch === null ? "" : `@${branch}`}${folded}`;
}

/** Whether what is told of `view` is told of this thread. */
export function isViewOf({ agent, branch, runs }: ThreadChoice, view: StreamedThread): boolean {
  // The server is told which runs are open, behind the word that says that runs are folded.
  const open = runs === null ? null : runs.split(",").slice(1).join(",");
  return agent === view.agent && branch === view.branch && open === view.runs;
}

/** What one stream carries beside its own thread (`agents` of `GET /api/events`). */
const MAX_BESIDE = 16;
/** Panes that open together are one change. */
const TOGETHER_MS = 30;

/**
 * The agents' threads that stand beside the page's own, or inside their calls. A browser has six connections to
 * a server, so all of them come on the page's one stream; those beyond what it carries are asked for again.
 */
export class LiveViews {
  readonly #threads = new Set<ShownThread>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Called when the threads are others than before. */
  onChange: () => void = () => undefined;

  all(): ShownThread[] {
    return [...this.#threads];
  }

  /** Those that a stream of `agent`'s thread carries beside it; one that is there twice comes once. */
  beside(agent: string | null): ShownThread[] {
    const others = this.all().filter(({ choice }) => choice.agent !== agent);
    const views = new Set([...new Set(others.map(({ choice }) => agentView(choice)))].slice(0, MAX_BESIDE));
    return others.filter(({ choice }) => views.has(agentView(choice)));
  }

  add(thread: ShownThread): () => void {
    this.#threads.add(thread);
    this.#tell();
    return () => {
      this.#threads.delete(thread);
      this.#tell();
    };
  }

  #tell(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
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
