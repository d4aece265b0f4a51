/** What a record is to a reader. Numbers, because they are kept in a typed array. */
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
  /** An assistant line that the client made itself: an API error, "No response requested." */
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

/** The least detail that shows a block. `merged` blocks are part of another row. */
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
  /** A person said no, as far as its result tells: an interruption that follows may tell that it ran and was stopped. */
  refused: 7,
} as const;

export const Flag = {
  sidechain: 1,
  meta: 2,
  /** Belongs to the graph: has a uuid. */
  node: 4,
  apiError: 8,
  /** A `last-prompt` that says where the client stands, not only how far it was (2.1.330). */
  explicitLeaf: 16,
  /** A launched agent that answers later, by a notification. */
  asyncLaunch: 32,
  /** Before 1.0 a fork's lines say whether theirs is the branch that goes on. */
  activeFork: 64,
  inactiveFork: 128,
  /** What the client says ahead of a local command: 1.0.60 hangs every command of a process from one such line. */
  caveat: 256,
} as const;
