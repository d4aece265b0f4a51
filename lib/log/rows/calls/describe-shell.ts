import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/cut-text";
import { type CallFacts, type CallLine, count } from "./call-facts";

const SHORT_OUTPUT = 48;

/** A command, and its exit code, its only line of output, or how many there were. */
export function describeBash(facts: CallFacts): CallLine {
  const { input, result } = facts;
  const subject = firstWords(asString(input.command) ?? "", 400);
  const background = asString(result?.backgroundTaskId) ?? asString(result?.shellId);
  if (background) {
    // From 2.0.42 to 2.1.42 a command that takes too long goes on there, as one that a person sends there does.
    const asked = input.run_in_background === true;
    return { subject, result: `${asked ? "background" : "moved to background"} · ${background}` };
  }
  return { subject, result: facts.isError ? exitCode(facts.text) : outputLine(facts) };
}

/** Failing commands say `Exit code N` from 2.0.42 on; 1.0.128 gives the output alone. */
function exitCode(text: string | null): string | null {
  const code = /^(?:Error: )?Exit code (\d+)/.exec(text ?? "")?.[1];
  return code ? `exit ${code}` : null;
}

function outputLine({ text, result, isCut }: CallFacts): string | null {
  const output = (asString(result?.stdout) ?? text ?? "").trim();
  if (output === "" || text === "(Bash completed with no output)") return "no output";
  const lines = output.split("\n").length;
  if (lines === 1 && output.length <= SHORT_OUTPUT) return output;
  return isCut ? `${lines.toLocaleString("en-US")}+ lines` : count(lines, "line");
}

/** A look at what a background command or agent has written. */
export function describeShellOutput({ input, result }: CallFacts): CallLine {
  const subject = asString(input.bash_id) ?? asString(input.task_id) ?? asString(input.agentId) ?? "";
  const task = asObject(result?.task);
  const status = asString(result?.status) ?? asString(task?.status) ?? asString(result?.retrieval_status);
  const code = asNumber(result?.exitCode) ?? asNumber(task?.exitCode);
  return { subject, result: code === null ? status : `${status ?? "ended"}, exit ${code}` };
}

/** The end that was put to a background command. */
export function describeKill({ input, result }: CallFacts): CallLine {
  const subject = asString(input.shell_id) ?? asString(input.task_id) ?? "";
  return { subject, aside: asString(result?.command), result: result ? "stopped" : null };
}

/** A command whose lines the model is told of as they come. */
export function describeMonitor({ input }: CallFacts): CallLine {
  return { subject: firstWords(asString(input.command) ?? asString(input.description) ?? "", 200) };
}
