import { writeOpeningAttachments } from "./attachments";
import { chooseCall } from "./choose-calls";
import { bytesLeft, textSize } from "./session-context";
import { writeAnswer, writeToolStep } from "./step";
import { type ToolCall, writeProgress } from "./tool-results";
import { openTranscript, pass, type Transcript, writeNode } from "./transcript";

type AgentStart = NonNullable<ToolCall["agent"]>;

/**
 * Runs the agent that a call starts: its own log where the version keeps it, `meta.json` in 2.1.330,
 * and the call completed with its answer. In the background (2.1.330's default) the call only says
 * that it was launched.
 */
export function runAgent(
  parent: Transcript,
  call: ToolCall,
  start: AgentStart,
  toolUseId: string,
  callUuid: string,
): ToolCall {
  const { context } = parent;
  const { dialect, random, plan, truth } = context;
  const agentId = `a${random.hex(dialect.extras === "attachments" ? 16 : 6)}`;
  const folder =
    dialect.agentFiles === "beside" ? `projects/${plan.slug}` : `projects/${plan.slug}/${plan.id}/subagents`;
  const transcript = openTranscript(context, `${folder}/agent-${agentId}.jsonl`, agentId);
  const startedAtMs = context.nowMs;
  const { contextTokens } = context;
  truth.agents++;
  truth.agentIds.push(agentId);

  const promptUuid = writeNode(transcript, null, {
    type: "user",
    message: { role: "user", content: start.prompt },
  });
  if (dialect.extras === "progress")
    writeAgentTick(parent, callUuid, toolUseId, promptUuid, agentId, start.prompt);
  writeOpeningAttachments(transcript);
  const mostBytes = Math.min(bytesLeft(context) / 4, textSize(context, 40_000, 0.8) + 4000);
  const stopAt = truth.bytes + mostBytes;
  let toolUses = 0;
  while (truth.bytes < stopAt || toolUses === 0) {
    const calls = Array.from({ length: random.chance(0.25) ? 2 : 1 }, () => chooseCall(context, "look"));
    toolUses += calls.length;
    writeToolStep(transcript, calls);
  }
  const answer = context.planter.plant("agent", context.prose.markdown(textSize(context, 700)));
  writeAnswer(transcript, answer);
  transcript.file.close(context.nowMs);
  const facts = {
    toolUses,
    tokens: context.contextTokens - contextTokens,
    durationMs: context.nowMs - startedAtMs,
  };
  context.contextTokens = contextTokens;
  if (dialect.extras === "attachments")
    writeMeta(parent, `${folder}/agent-${agentId}.meta.json`, start, toolUseId);
  pass(context, 20);
  return start.background ? launched(call, start, agentId) : completed(call, start, agentId, answer, facts);
}

function launched(call: ToolCall, start: AgentStart, agentId: string): ToolCall {
  const text = `Async agent launched successfully. (This tool result is internal metadata)\nagentId: ${agentId} (internal ID - do not mention to user.)`;
  return {
    ...call,
    content: [{ type: "text", text }],
    toolUseResult: {
      isAsync: true,
      status: "async_launched",
      agentId,
      description: start.description,
      prompt: start.prompt,
      outputFile: `/tmp/claude-0/tasks/${agentId}.output`,
    },
  };
}

function completed(
  call: ToolCall,
  start: AgentStart,
  agentId: string,
  answer: string,
  facts: { toolUses: number; tokens: number; durationMs: number },
): ToolCall {
  const footer = `agentId: ${agentId} (for resuming to continue this agent's work if needed)\n<usage>total_tokens: ${facts.tokens}\ntool_uses: ${facts.toolUses}\nduration_ms: ${facts.durationMs}</usage>`;
  // The answer comes back shortened, so that a word planted in the agent stands in the agent alone.
  const report = answer.slice(0, Math.max(1, answer.indexOf(" ")));
  return {
    ...call,
    content: [
      { type: "text", text: report },
      { type: "text", text: footer },
    ],
    toolUseResult: {
      status: "completed",
      prompt: start.prompt,
      agentId,
      content: [{ type: "text", text: report }],
      totalDurationMs: facts.durationMs,
      totalTokens: facts.tokens,
      totalToolUseCount: facts.toolUses,
      usage: {
        input_tokens: 4,
        cache_creation_input_tokens: 314,
        cache_read_input_tokens: 11_197,
        output_tokens: 18,
      },
    },
  };
}

/** While an agent runs, 2.1.29–2.1.42 repeat its messages in the main log; this one names the agent. */
function writeAgentTick(
  parent: Transcript,
  callUuid: string,
  toolUseId: string,
  promptUuid: string,
  agentId: string,
  prompt: string,
): void {
  const leaf = parent.leaf;
  const message = {
    type: "user",
    message: { role: "user", content: [{ type: "text", text: prompt }] },
    uuid: promptUuid,
    timestamp: new Date(parent.context.nowMs).toISOString(),
  };
  const data = { message, normalizedMessages: [], type: "agent_progress", prompt, agentId };
  writeProgress(parent, callUuid, data, toolUseId, `agent_msg_01${parent.context.random.base62(22)}`);
  parent.leaf = leaf;
}

function writeMeta({ context }: Transcript, path: string, start: AgentStart, toolUseId: string): void {
  const file = context.storage.open(path);
  const meta = {
    agentType: start.type,
    isBuiltIn: true,
    launchedWithDefaults: true,
    description: start.description,
    toolUseId,
    spawnDepth: 1,
    requestShape: start.background ? "background" : "foreground",
    requestNonInteractive: false,
    model: context.dialect.model,
    finished: true,
  };
  context.truth.bytes += file.append(JSON.stringify(meta));
  file.close(context.nowMs);
}
