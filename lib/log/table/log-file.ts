/** What the model needs to know of a session's files. File 0 is the main log; all others are agents'. */
export type SessionLog = {
  /** Stands for the file in record ids: `m`, or eight hex digits. */
  key: string;
  /** From the file's name; `null` for the main log. */
  agentId: string | null;
  /** Of an agent in `subagents/workflows/<run>/` (2.1.330): the run, which the workflow's call names too. */
  runId?: string | null;
  /** From `agent-<id>.meta.json` (2.1.110 and later). */
  meta: { toolUseId: string | null; agentType: string | null; description: string | null } | null;
};
