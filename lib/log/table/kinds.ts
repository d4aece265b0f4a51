/** What a record is to a reader. Numbers, because they are stored in a typed array. */
export const RecordKind = {
  unreadable: 0,
  unknown: 1,
  metadata: 2,
  /** A human turn. */
  prompt: 3,
  /** A user line with tool results and nothing a person wrote. */
  results: 4,
  meta: 5,
  compactSummary: 6,
  /** A slash command or a bash-mode line. */
  command: 7,
  commandOutput: 8,
  interruption: 9,
  notification: 10,
  /** The prompt of a sub-agent. */
  agentPrompt: 11,
  assistant: 12,
  /** An assistant line written by the client itself: an API error, "No response requested." */
  synthetic: 13,
  compactBoundary: 14,
  system: 15,
  progress: 16,
  attachment: 17,
} as const;

export const BlockKind = {
  /** The record as a whole. */
  record: 0,
  text: 1,
  thinking: 2,
  call: 3,
  result: 4,
  media: 5,
  unknown: 6,
} as const;

/** The lowest level of detail that shows a block. `merged` blocks are part of another row. */
export const Level = { prompts: 0, conversation: 1, tools: 2, everything: 3, merged: 255 } as const;

export const CallState = {
  none: 0,
  ok: 1,
  error: 2,
  denied: 3,
  interrupted: 4,
  timedOut: 5,
  /** Interrupted, and not marked as an error. */
  stopped: 6,
  /** A person refused it, according to its result: an interruption that follows may reveal that it ran and was stopped. */
  refused: 7,
} as const;

export const Flag = {
  sidechain: 1,
  meta: 2,
  /** Part of the graph: has a uuid. */
  node: 4,
  apiError: 8,
  /** A `last-prompt` that names the client's exact position, not only how far it had come (2.1.330). */
  explicitLeaf: 16,
  /** Before 1.0 the lines of a fork record whether theirs is the active branch. */
  activeFork: 64,
  inactiveFork: 128,
  /** The client's note ahead of a local command: in 1.0.60 one such line is the parent of every command of a process. */
  caveat: 256,
  /** A command that its person typed for the model, or for the shell: the client was at rest until then. */
  atRest: 512,
  /** A prompt that the client made of a plan, with which a session begins ("clear context and implement plan"). */
  plan: 1024,
} as const;

/** True for a call that a person or a rule refused. */
export function isDenied(state: number): boolean {
  return state === CallState.denied || state === CallState.refused;
}

/** True for a call whose result is marked as an error: refusals, interruptions and time-outs are. */
export function isFailure(state: number): boolean {
  return state !== CallState.none && state !== CallState.ok && state !== CallState.stopped;
}
