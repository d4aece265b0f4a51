import { ownText, toolDefinitions } from "./attachments";
import { isoTime, type Transcript, writeNode, writeRecord } from "./transcript";

const BETAS = [
  "claude-code-20250219",
  "interleaved-thinking-2025-05-14",
  "context-management-2025-06-27",
  "effort-2025-11-24",
];

/**
 * What 2.1.330 writes around every request: most of its bytes, and nothing that a reader of the
 * conversation needs. Hashes are made up; only their form is right.
 */
export function writeRequest(transcript: Transcript): void {
  const { context } = transcript;
  if (context.dialect.extras !== "attachments") return;
  const { random, plan } = context;
  const base = transcript.lastRequestId;
  const id = random.uuid();
  const at = { sessionId: plan.id, timestamp: isoTime(context.nowMs), version: context.dialect.version };
  if (base === null) writeShape(transcript);
  const keep = transcript.requestMessages;
  const tail = [random.hex(64), random.hex(64)];
  transcript.lastRequestId = id;
  transcript.requestMessages += tail.length;
  writeRecord(transcript, {
    type: "api-request",
    sessionId: at.sessionId,
    id,
    timestamp: at.timestamp,
    version: at.version,
    querySource: "repl_main_thread",
    shapeHash: plan.id.replaceAll("-", "").repeat(2),
    params: {
      model: context.dialect.model,
      betas: BETAS,
      max_tokens: 128_000,
      thinking: { type: "adaptive", display: "omitted" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      output_config: { effort: "medium" },
    },
    ...(base === null ? {} : { base }),
    keep,
    tail,
    cacheControl: [
      { path: ["system", 0], value: { type: "ephemeral" } },
      { path: ["system", 1], value: { type: "ephemeral" } },
      { path: ["messages", keep + 1, "content", 0], value: { type: "ephemeral" } },
    ],
    requestDigest: random.hex(64),
  });
}

/** Forgets the requests so far: the next one names its shape and all its messages again. */
export function startRequestsAnew(transcript: Transcript): void {
  transcript.lastRequestId = null;
  transcript.requestMessages = 0;
}

/** Records that 2.1.330 appends again at every turn's end; the last of each wins. */
export function writeTurnEnd(transcript: Transcript, lastPrompt: string, turnStartedAtMs: number): void {
  const { context } = transcript;
  const { plan } = context;
  if (context.dialect.extras !== "attachments") return;
  writeNode(transcript, transcript.leaf, {
    type: "system",
    subtype: "turn_duration",
    durationMs: context.nowMs - turnStartedAtMs,
    messageCount: transcript.requestMessages,
    isMeta: false,
  });
  writeRecord(transcript, { type: "last-prompt", lastPrompt, leafUuid: transcript.leaf, sessionId: plan.id });
  writeRecord(transcript, { type: "mode", mode: "normal", sessionId: plan.id });
  writeRecord(transcript, {
    type: "permission-mode",
    permissionMode: "bypassPermissions",
    sessionId: plan.id,
  });
  writeRecord(transcript, { type: "atis-latch", atis: "", sessionId: plan.id });
  writeRecord(transcript, {
    type: "cost-state",
    sessionId: plan.id,
    totalCostUSD: context.truth.usage.output / 40_000,
    totalDuration: context.nowMs - plan.startedAtMs,
    startTime: plan.startedAtMs,
    modelUsage: { [context.dialect.model]: { outputTokens: context.truth.usage.output } },
    hasUnknownModelCost: false,
  });
}

function writeShape(transcript: Transcript): void {
  const { context } = transcript;
  const { plan } = context;
  writeRecord(transcript, {
    type: "api-request-shape",
    sessionId: plan.id,
    shapeHash: plan.id.replaceAll("-", "").repeat(2),
    timestamp: isoTime(context.nowMs),
    version: context.dialect.version,
    shape: {
      system: [{ type: "text", text: ownText(transcript, 9000) }],
      tools: toolDefinitions(transcript),
    },
  });
}
