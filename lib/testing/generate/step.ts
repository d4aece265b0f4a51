import { openMessage } from "./assistant-message";
import { writeOpeningAttachments, writePromptSnapshot } from "./attachments";
import { chooseCall } from "./choose-calls";
import { writeRequest } from "./request-records";
import { bytesLeft, textSize } from "./session-context";
import { type ToolCall, writeFileHistory, writeProgress, writeResult } from "./tool-results";
import { openTranscript, pass, type Transcript, writeNode } from "./transcript";

/** A message that calls tools, and their results. With `interrupted` the last call is cut short by its user. */
export function writeToolStep(transcript: Transcript, calls: ToolCall[], interrupted = false): void {
  const { context } = transcript;
  const { random, prose, planter, dialect } = context;
  const thinking = random.chance(0.3);
  const text = random.chance(0.6);
  writeRequest(transcript);
  const message = openMessage(transcript, Number(thinking) + Number(text) + calls.length, "tool_use");
  if (thinking) {
    const thought = planter.plant("thinking", prose.sentences(textSize(context, 500)));
    message.write(
      { type: "thinking", thinking: thought, signature: prose.signature(random.int(300, 900)) },
      transcript.leaf,
    );
  }
  if (text)
    message.write({ type: "text", text: prose.sentences(textSize(context, 130, 0.6)) }, transcript.leaf);

  // 2.1.330 starts tools while the message still streams, so results may stand between its calls.
  const interleaved = dialect.extras === "attachments" && calls.length > 1 && random.chance(0.2);
  const open: { call: ToolCall; id: string; uuid: string }[] = [];
  for (const [at, call] of calls.entries()) {
    const id = `toolu_01${random.base62(22)}`;
    const uuid = message.write({ type: "tool_use", id, name: call.name, input: call.input }, transcript.leaf);
    if (call.change) writeFileHistory(transcript, call.change.path, uuid);
    if (dialect.extras === "progress" && call.name === "Bash" && call.durationMs > 2000)
      writeTicks(transcript, uuid, id, call);
    const cut = interrupted && at === calls.length - 1;
    const settled = { call: cut ? rejected(call) : call, id, uuid };
    if (interleaved) answer(transcript, settled, uuid);
    else open.push(settled);
  }
  const order = random.chance(0.3) ? open.reverse() : open;
  for (const settled of order) {
    answer(
      transcript,
      settled,
      dialect.parallel === "fan" ? settled.uuid : (transcript.leaf ?? settled.uuid),
    );
  }
  if (bytesLeft(context) > 300_000 && random.chance(0.02)) writePromptSnapshot(transcript);
}

/** A message of text alone: an answer, a turn's last word. */
export function writeAnswer(transcript: Transcript, text: string): void {
  writeRequest(transcript);
  openMessage(transcript, 1, "end_turn").write({ type: "text", text }, transcript.leaf);
}

function answer(
  transcript: Transcript,
  { call, id, uuid }: { call: ToolCall; id: string; uuid: string },
  parent: string,
): void {
  const answered = call.agent ? runAgent(transcript, call, call.agent, id, uuid) : call;
  transcript.leaf = writeResult(transcript, answered, id, uuid, parent);
}

/** A running command's ticks: they hang from the call, one under the other, and nothing hangs from them. */
function writeTicks(transcript: Transcript, callUuid: string, toolUseId: string, call: ToolCall): void {
  const leaf = transcript.leaf;
  const shown = typeof call.content === "string" ? call.content.slice(0, 300) : "";
  let parent = callUuid;
  for (let second = 2; second <= Math.min(12, call.durationMs / 1000); second++) {
    const data = {
      type: "bash_progress",
      output: shown,
      fullOutput: shown,
      elapsedTimeSeconds: second,
      totalLines: 4,
    };
    parent = writeProgress(transcript, parent, data, toolUseId, `bash-progress-${second}`);
  }
  transcript.leaf = leaf;
}

function rejected(call: ToolCall): ToolCall {
  const content =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
  return {
    ...call,
    isError: true,
    content,
    toolUseResult: "User rejected tool use",
    change: null,
    images: 0,
    persisted: null,
    agent: null,
  };
}

type AgentStart = NonNullable<ToolCall["agent"]>;

/**
 * Runs the agent that a call starts: its own log where the version keeps it, `meta.json` in 2.1.330,
 * and the call completed with its answer. In the background (2.1.330's default) the call only says
 * that it was launched.
 */
function runAgent(
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
