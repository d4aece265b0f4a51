import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import { firstWords } from "@/lib/format/text";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { startedTask } from "@/lib/tools/started-task";
import type { CommandClass } from "@/lib/wire/session";
import { type CallLine, type DescribedCall, type Describers } from "./call-facts";

/** Commands, and calls that manage background commands. */
export const SHELL_DESCRIBERS: Describers<"shell"> = {
  Bash: describeBash,
  PowerShell: describeBash,
  TaskOutput: describeTaskOutput,
  TaskStop: describeStop,
};

const SHORT_OUTPUT = 48;

/** A command, and its exit code, its only line of output, or how many there were. */
function describeBash(facts: DescribedCall): CallLine {
  const { input, result } = facts;
  const subject = firstWords(asString(input.command) ?? "", 400);
  const background =
    asString(result?.backgroundTaskId) ?? asString(result?.shellId) ?? startedTask(facts.text ?? "")?.id;
  if (background) {
    // From 2.0.42 to 2.1.42 a command that takes too long continues there, as one does that a person sends there.
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

/** From this size on, an output's size is shown beside its lines. */
const LARGE_BYTES = 100_000;

function outputLine({ text, result, isCut, cutSize }: DescribedCall): string | null {
  if (result?.isImage === true) return "image";
  // From 2.1.110 on a large output is a file of its own, and the line has its size; in 2.1.29 and 2.1.42 the line has
  // the whole output too, except on agents' lines, which only give the size in words.
  const kept = asNumber(result?.persistedOutputSize);
  if (kept !== null) return formatBytes(kept);
  const output = (printed(result) ?? withoutReminders(text ?? "")).trim();
  if (output === "" || output === "(Bash completed with no output)")
    return asString(result?.returnCodeInterpretation) ?? "no output";
  const [, size, unit] = /^<persisted-output>\s*Output too large \(([\d.]+) ?([KMG]?)B\)/.exec(output) ?? [];
  if (size !== undefined) return formatBytes(Number(size) * 1024 ** "KMG".indexOf(unit || " ") * 1024);
  if (isCut && cutSize) {
    const { lines, bytes } = cutSize;
    return [formatPlural(lines, "line"), (lines === 1 || bytes >= LARGE_BYTES) && formatBytes(bytes)]
      .filter(Boolean)
      .join(" · ");
  }
  const lines = output.split("\n").length;
  if (lines === 1 && output.length <= SHORT_OUTPUT) return output;
  return isCut ? `${formatCount(lines)}+ lines` : formatPlural(lines, "line");
}

/** Both streams of a structured result. In the second one the client says that it went back to the session's folder. */
function printed(result: JsonObject | null): string | null {
  const streams = [result?.stdout, result?.stderr].map(asString).filter((text) => text !== null);
  return streams.length === 0 ? null : streams.filter(Boolean).join("\n");
}

/** 2.1.330 may add something for the model after the output. */
function withoutReminders(text: string): string {
  let left = text.trimEnd();
  while (left.endsWith("</system-reminder>")) {
    const from = left.lastIndexOf("<system-reminder>");
    if (from === -1) break;
    left = left.slice(0, from).trimEnd();
  }
  return left;
}

/** What a background command or agent has written so far. */
function describeTaskOutput({ input, result }: DescribedCall): CallLine {
  const subject = asString(input.bash_id) ?? asString(input.task_id) ?? asString(input.agentId) ?? "";
  const task = asObject(result?.task);
  const status = asString(result?.status) ?? asString(task?.status) ?? asString(result?.retrieval_status);
  const code = asNumber(result?.exitCode) ?? asNumber(task?.exitCode);
  return { subject, result: code === null ? status : `${status ?? "ended"}, exit ${code}` };
}

/** A background command or agent that was stopped. */
function describeStop({ input, result }: DescribedCall): CallLine {
  const subject = asString(input.shell_id) ?? asString(input.task_id) ?? "";
  return { subject, aside: asString(result?.command), result: result ? "stopped" : null };
}

/** What may precede the command itself: variables, changes of directory, wrappers. */
const PREFIX =
  /^(?:(?:[A-Za-z_]\w*=\S*|cd\s+\S+\s*(?:&&|;)|sudo|env|time|timeout\s+\S+|npx|bunx|uvx|pnpm\s+exec|poetry\s+run|uv\s+run|bundle\s+exec)\s+)*/;

const TEST =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t|e2e|coverage)\b|(?:pytest|py\.test|vitest|jest|mocha|ava|playwright|cypress|rspec|phpunit|ctest|tox|nox|gotestsum)\b|(?:python3?\s+-m\s+)(?:pytest|unittest)\b|(?:go|cargo|dotnet|deno|mix|swift|rake|make|mvn|gradle|\.\/gradlew|node)\s+(?:-\S+\s+)*(?:--)?(?:test|check|verify)\b)/;
const BUILD =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:build|compile|lint|typecheck|check|format)\b|(?:tsc|webpack|vite|rollup|esbuild|next|make|cmake|ninja|bazel|eslint|biome|prettier|oxlint|ruff|mypy|gcc|g\+\+|clang|javac|docker\s+build)\b|(?:go|cargo|dotnet|mix|swift|mvn|gradle|\.\/gradlew)\s+(?:build|vet|clippy|fmt|compile|package|assemble|install)\b)/;
const GIT = /^(?:git|gh|jj)\b/;

/** What a shell command is for, by its first words. A guess from its text, never from what it did. */
export function classifyCommand(command: string): CommandClass {
  const words = command.trim().replace(PREFIX, "");
  if (TEST.test(words)) return "test";
  if (BUILD.test(words)) return "build";
  return GIT.test(words) ? "git" : "other";
}
