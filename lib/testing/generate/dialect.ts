export type ClientVersion = "2.0.76" | "2.1.42" | "2.1.330";

/** In what a version's logs differ from another's, as the recordings in `lib/testing/fixtures` show. */
export type Dialect = {
  version: ClientVersion;
  model: string;
  agentTool: "Task" | "Agent";
  /** Results of parallel calls: one after the other (≤ 2.0.76), or each under its own call (≥ 2.1.29). */
  parallel: "chain" | "fan";
  agentFiles: "beside" | "below";
  /** What a message's lines say of its output tokens before the last one, and of its stop reason. */
  streaming: "final on the last line" | "start value on every line" | "final on every line";
  /** Progress lines (2.1.29–2.1.42) or attachments and request records (2.1.330). */
  extras: "snapshots" | "progress" | "attachments";
  lineNumbers: "arrow" | "tab";
  keepsWholeOutput: boolean;
};

export const DIALECTS: Record<ClientVersion, Dialect> = {
  "2.0.76": {
    version: "2.0.76",
    model: "claude-sonnet-4-5-20250929",
    agentTool: "Task",
    parallel: "chain",
    agentFiles: "beside",
    streaming: "final on the last line",
    extras: "snapshots",
    lineNumbers: "arrow",
    keepsWholeOutput: false,
  },
  "2.1.42": {
    version: "2.1.42",
    model: "claude-opus-4-5-20251101",
    agentTool: "Task",
    parallel: "fan",
    agentFiles: "below",
    streaming: "start value on every line",
    extras: "progress",
    lineNumbers: "arrow",
    keepsWholeOutput: true,
  },
  "2.1.330": {
    version: "2.1.330",
    model: "claude-opus-5-5",
    agentTool: "Agent",
    parallel: "fan",
    agentFiles: "below",
    streaming: "final on every line",
    extras: "attachments",
    lineNumbers: "tab",
    keepsWholeOutput: false,
  },
};
