import type { SessionContext } from "./session-context";
import type { LineFile } from "./storage";
import { tally } from "./truth";

export type Json = Record<string, unknown>;

/** One log being written: the main one, or an agent's. */
export type Transcript = {
  context: SessionContext;
  agentId: string | null;
  file: LineFile;
  /** Where the next line hangs. */
  leaf: string | null;
  lastRequestId: string | null;
  requestMessages: number;
};

/** Opens a log at a path relative to the folder of logs. */
export function openTranscript(context: SessionContext, path: string, agentId: string | null): Transcript {
  return {
    context,
    agentId,
    file: context.storage.open(path),
    leaf: null,
    lastRequestId: null,
    requestMessages: 0,
  };
}

/** Writes one record as a line and counts it. */
export function writeRecord(transcript: Transcript, record: Json): void {
  const { truth } = transcript.context;
  writeText(transcript, `${JSON.stringify(record)}\n`);
  truth.records++;
  tally(truth.recordsByType, record.type as string);
  if (typeof record.version === "string") tally(truth.versions, record.version);
}

/** Writes text that need not be a record. */
export function writeText(transcript: Transcript, text: string): void {
  const { truth } = transcript.context;
  const bytes = transcript.file.append(text);
  truth.bytes += bytes;
  truth.transcriptBytes += bytes;
}

/** Lets time pass: most lines follow at once, a few after seconds. */
export function pass(context: SessionContext, medianMs: number): number {
  context.nowMs += Math.min(600_000, Math.round(context.random.logNormal(medianMs, 1)));
  context.truth.lastActiveAtMs = Math.max(context.truth.lastActiveAtMs, context.nowMs);
  return context.nowMs;
}

/** The form in which every version writes times. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Writes a line of the graph and makes it the leaf. 2.1.330 puts the folder, session and version at
 * the end and names the prompt; the older ones put them first.
 */
export function writeNode(
  transcript: Transcript,
  parent: string | null,
  body: Json,
  tail: Json = {},
): string {
  const { context, agentId } = transcript;
  const { plan, dialect, random } = context;
  const uuid = random.uuid();
  const timestamp = isoTime(context.nowMs);
  const sidechain = agentId !== null;
  const agent = sidechain ? { agentId } : {};
  const place = { cwd: plan.cwd, sessionId: plan.id, version: dialect.version, gitBranch: plan.gitBranch };
  const record =
    dialect.extras === "attachments"
      ? {
          parentUuid: parent,
          isSidechain: sidechain,
          ...(body.type === "user" ? { promptId: context.promptId } : {}),
          ...agent,
          ...body,
          uuid,
          timestamp,
          ...tail,
          userType: "external",
          entrypoint: "cli",
          ...place,
        }
      : {
          parentUuid: parent,
          isSidechain: sidechain,
          userType: "external",
          ...place,
          ...agent,
          ...body,
          uuid,
          timestamp,
          ...tail,
        };
  writeRecord(transcript, record);
  transcript.leaf = uuid;
  return uuid;
}
