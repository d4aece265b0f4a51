import type { AgentId, RecordId } from "./ids";

/** What a command did, by its first words. */
export type CommandClass = "test" | "build" | "git" | "other";

/** `…/turns/{n}/brief`: a turn in a dozen lines. */
export type TurnBrief = {
  turn: number;
  recordId: RecordId;
  /** First words of the prompt, at most 240 characters. */
  intent: string;
  tools: { name: string; calls: number; errors: number }[];
  files: { path: string; added: number; removed: number; calls: number }[];
  commands: {
    command: string;
    class: CommandClass;
    failed: boolean;
    recordId: RecordId;
    durationMs: number | null;
  }[];
  /** Commands that are not in `commands` because there are too many. */
  moreCommands: number;
  agents: {
    agentId: AgentId;
    description: string | null;
    type: string | null;
    lane: number;
    toolCalls: number;
    tokens: number;
  }[];
  durationMs: number | null;
  /** Of the turn's own messages; agents have theirs in `agents`. */
  tokens: number;
};
