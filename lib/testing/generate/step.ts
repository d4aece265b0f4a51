import { runAgent } from "./agent-run";
import { openMessage } from "./assistant-message";
import { writePromptSnapshot } from "./attachments";
import { writeRequest } from "./request-records";
import { bytesLeft, textSize } from "./session-context";
import { type ToolCall, writeFileHistory, writeProgress, writeResult } from "./tool-results";
import type { Transcript } from "./transcript";

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
export function writeAnswer(
  transcript: Transcript,
  text: string,
  stop: "end_turn" | "tool_use" = "end_turn",
): void {
  writeRequest(transcript);
  openMessage(transcript, 1, stop).write({ type: "text", text }, transcript.leaf);
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
