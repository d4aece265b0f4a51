import type { ThreadStore } from "@/components/thread/thread-store";
import type { AgentId } from "@/lib/wire/ids";

/**
 * The thread of a page on which its keys and commands act: the one in which the focus is, or was last. A dialog, a menu or
 * a pane about a record takes the focus for a moment, and what is asked for there is asked of that same thread.
 */
export class ThreadAtHand {
  readonly #beside = new Map<AgentId, ThreadStore>();
  /** The agents in whose panes the focus was, the last one last; `null` for the page's own thread. */
  #focused: (AgentId | null)[] = [];
  /** The agent whose thread is to come, and what is then done in it. */
  #awaited: { agent: AgentId; act: (thread: ThreadStore) => void } | null = null;

  constructor(readonly main: ThreadStore) {}

  /** Where the pane that had the focus is closed, the thread that had it before. */
  get = (): ThreadStore => {
    const agent = this.agent();
    return (agent !== null && this.#beside.get(agent)) || this.main;
  };

  /** The agent whose thread beside the page's own it is, `null` for the page's own. */
  agent = (): AgentId | null => {
    const last = this.#focused.at(-1) ?? null;
    return last !== null && this.#beside.has(last) ? last : null;
  };

  /** The agent's thread, while it stands beside the page's own. */
  of = (agent: AgentId): ThreadStore | null => this.#beside.get(agent) ?? null;

  /**
   * Acts in the agent's thread, at once where it stands beside the page's own, else when it comes. Who asks for another one
   * meanwhile does not wait for the first any more.
   */
  whenBeside = (agent: AgentId, act: (thread: ThreadStore) => void): void => {
    const thread = this.of(agent);
    this.#awaited = thread ? null : { agent, act };
    if (thread) act(thread);
  };

  /** Whether it is the page's own thread, whose turns fold and whose rows can be exported. */
  isMain = (): boolean => this.get() === this.main;

  /** The focus has come to the page's own thread (`null`), or to an agent's beside it. */
  take = (agent: AgentId | null): void => {
    this.#focused = [...this.#focused.filter((one) => one !== agent), agent];
  };

  /** An agent's thread stands beside the page's own until the returned function is called. */
  add = (agent: AgentId, thread: ThreadStore): (() => void) => {
    this.#beside.set(agent, thread);
    if (this.#awaited?.agent === agent) {
      const { act } = this.#awaited;
      this.#awaited = null;
      act(thread);
    }
    return () => {
      if (this.#beside.get(agent) !== thread) return;
      this.#beside.delete(agent);
      this.#focused = this.#focused.filter((one) => one !== agent);
    };
  };
}
