import type { Usage } from "@/lib/wire/library";

/** Where a word was planted. `agent` is an agent's answer; inputs and outputs may be agents' too. */
export type PlantPlace = "prompt" | "text" | "thinking" | "input" | "output" | "agent";

/**
 * A word that stands in one record of the whole tree, twice where the client writes a result twice.
 * A prompt's may stand again in `last-prompt` lines.
 */
export type Plant = {
  place: PlantPlace;
  word: string;
  sessionId: string;
  agentId: string | null;
  uuid: string;
};

/** What a reader must find in one session. All counts but `turns` include agents. */
export type SessionTruth = {
  id: string;
  /** The main log, relative to the folder of logs. */
  path: string;
  cwd: string;
  title: string;
  titleSource: "custom" | "ai" | "summary" | "prompt";
  firstPrompt: string;
  startedAtMs: number;
  lastActiveAtMs: number;
  turns: number;
  messages: number;
  toolCalls: number;
  toolCallsByName: Record<string, number>;
  toolErrors: number;
  thinking: number;
  images: number;
  compactions: number;
  branches: number;
  agents: number;
  agentIds: string[];
  files: Record<string, { added: number; removed: number; calls: number }>;
  records: number;
  recordsByType: Record<string, number>;
  unreadable: number;
  unknown: number;
  usage: Usage;
  versions: Record<string, number>;
  models: string[];
  gitBranch: string;
  /** Transcripts alone, and everything that belongs to the session. */
  transcriptBytes: number;
  bytes: number;
  plants: Plant[];
};

/** What a reader must find in a tree. */
export type TreeTruth = {
  seed: number;
  bytes: number;
  files: number;
  transcriptFiles: number;
  records: number;
  projects: { cwd: string; slug: string; sessions: number }[];
  sessions: SessionTruth[];
};

/** Everything at zero, before the first line. */
export function emptySessionTruth(id: string, path: string, cwd: string, startedAtMs: number): SessionTruth {
  return {
    id,
    path,
    cwd,
    title: "",
    titleSource: "prompt",
    firstPrompt: "",
    startedAtMs,
    lastActiveAtMs: startedAtMs,
    turns: 0,
    messages: 0,
    toolCalls: 0,
    toolCallsByName: {},
    toolErrors: 0,
    thinking: 0,
    images: 0,
    compactions: 0,
    branches: 1,
    agents: 0,
    agentIds: [],
    files: {},
    records: 0,
    recordsByType: {},
    unreadable: 0,
    unknown: 0,
    usage: {
      input: 0,
      output: 0,
      cacheWrite: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      cacheRead: 0,
      webSearches: 0,
      webFetches: 0,
    },
    versions: {},
    models: [],
    gitBranch: "",
    transcriptBytes: 0,
    bytes: 0,
    plants: [],
  };
}

/** Adds one to a tally. */
export function tally(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
