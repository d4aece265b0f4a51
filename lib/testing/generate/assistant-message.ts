import { type Json, pass, type Transcript, writeNode } from "./transcript";
import { tally } from "./truth";

export type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Json };

/** A message of the model while its lines are written: one line a block, in every version. */
export type OpenMessage = {
  /** Writes the next block under `parent` and returns its uuid. */
  write(block: Block, parent: string | null): string;
};

/**
 * Starts a message of `blockCount` blocks. What its lines say of usage and stop reason before the
 * end differs by version (`Dialect.streaming`); the truth counts the largest value of each field.
 */
export function openMessage(
  transcript: Transcript,
  blockCount: number,
  stop: "tool_use" | "end_turn",
): OpenMessage {
  const { context, agentId } = transcript;
  const { dialect, random, truth, planter } = context;
  const id = `msg_01${random.base62(22)}`;
  const requestId = `req_011C${random.base62(20)}`;
  const outputTokens = random.int(20, 900);
  const fresh = random.int(200, 2600);
  const usage = {
    input_tokens: random.int(2, 9),
    cache_creation_input_tokens: fresh,
    cache_read_input_tokens: 12_000 + context.contextTokens,
  };
  const shownLast = dialect.streaming === "start value on every line" ? 3 : outputTokens;
  truth.messages++;
  truth.usage.input += usage.input_tokens;
  truth.usage.output +=
    blockCount > 1 && dialect.streaming === "final on the last line" ? Math.max(3, shownLast) : shownLast;
  truth.usage.cacheWrite += fresh;
  truth.usage.cacheWrite5m += fresh;
  truth.usage.cacheRead += usage.cache_read_input_tokens;
  if (!truth.models.includes(dialect.model)) truth.models.push(dialect.model);
  context.contextTokens += outputTokens + 150;
  pass(context, 2500);
  let written = 0;

  return {
    write(block, parent) {
      const last = ++written === blockCount;
      const output = dialect.streaming === "final on every line" || last ? shownLast : 3;
      const stopReason = dialect.streaming === "final on every line" ? stop : null;
      pass(context, 60);
      count(block, transcript);
      const uuid = writeNode(
        transcript,
        parent,
        dialect.extras === "attachments"
          ? newestBody(transcript, {
              id,
              requestId,
              block,
              index: written - 1,
              stopReason,
              usage: { ...usage, output },
            })
          : olderBody(transcript, { id, requestId, block, stopReason, usage: { ...usage, output } }),
        dialect.extras === "attachments"
          ? { effort: "medium", perTurnEffort: "medium", madeBy: "model" }
          : {},
      );
      planter.claim(uuid, agentId, block);
      return uuid;
    },
  };
}

type LineParts = {
  id: string;
  requestId: string;
  block: Block;
  index?: number;
  stopReason: string | null;
  usage: {
    input_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
    output: number;
  };
};

function olderBody({ context }: Transcript, { id, requestId, block, stopReason, usage }: LineParts): Json {
  const { output, ...input } = usage;
  return {
    message: {
      id,
      type: "message",
      role: "assistant",
      model: context.dialect.model,
      content: [block],
      stop_reason: stopReason,
      stop_sequence: null,
      usage: {
        ...input,
        cache_creation: {
          ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
          ephemeral_1h_input_tokens: 0,
        },
        output_tokens: output,
        service_tier: "standard",
        inference_geo: "not_available",
      },
    },
    requestId,
    type: "assistant",
  };
}

function newestBody(transcript: Transcript, parts: LineParts): Json {
  const { id, requestId, block, index, stopReason, usage } = parts;
  const { output, ...input } = usage;
  const { model } = transcript.context.dialect;
  return {
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [block],
      stop_reason: stopReason,
      stop_sequence: null,
      usage: {
        ...input,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: "standard",
        cache_creation: {
          ephemeral_1h_input_tokens: 0,
          ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
        },
        inference_geo: "not_available",
        iterations: [],
        speed: "standard",
        fallback_credit: null,
      },
      stop_details: null,
    },
    ...(block.type === "thinking" ? { thinkingDurationMs: output * 11, thinkingDisplay: "omitted" } : {}),
    ...(block.type === "tool_use" ? { toolInputStreamMs: output % 90 } : {}),
    apiBlockIndex: index,
    requestId,
    requestRef: transcript.lastRequestId,
    requestedModel: model,
    promptCacheRequested: "5m",
    type: "assistant",
  };
}

function count(block: Block, { context }: Transcript): void {
  const { truth } = context;
  if (block.type === "thinking") truth.thinking++;
  if (block.type !== "tool_use") return;
  truth.toolCalls++;
  tally(truth.toolCallsByName, block.name);
}
