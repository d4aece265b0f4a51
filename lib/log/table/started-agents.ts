/** What a call says of the agent that it starts. */
export type StartedAgent = {
  readonly call: number;
  /** In `agentIds`: the agent named by its result, -1 for none. */
  agent: number;
  /** In `texts`: the prompt that it gives to a sub-agent, -1 for none. */
  prompt: number;
  /** In `agentTypes`: the requested type of sub-agent, -1 for none. */
  type: number;
};

const NONE = -1;
const NO_AGENT: Readonly<StartedAgent> = { call: NONE, agent: NONE, prompt: NONE, type: NONE };

/** The calls that say something of an agent: a few of all. WebFetch has a prompt, too. */
export class StartedAgents {
  /** In the order in which they were noted. */
  readonly list: StartedAgent[] = [];
  readonly #byCall = new Map<number, StartedAgent>();

  constructor(list: readonly StartedAgent[] = []) {
    for (const one of list) this.#add({ ...one });
  }

  /** What a call says; -1 in all fields for one that says nothing. */
  of(call: number): Readonly<StartedAgent> {
    return this.#byCall.get(call) ?? NO_AGENT;
  }

  /** Notes more of what a call says. */
  note(call: number, said: Partial<Omit<StartedAgent, "call">>): void {
    Object.assign(this.#byCall.get(call) ?? this.#add({ ...NO_AGENT, call }), said);
  }

  #add(one: StartedAgent): StartedAgent {
    this.list.push(one);
    this.#byCall.set(one.call, one);
    return one;
  }
}
