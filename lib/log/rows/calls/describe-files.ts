import { asArray, asNumber, asObject, asString } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/row-context";
import type { CommandClass } from "@/lib/wire/session";
import { type CallFacts, type CallLine, count, readFile, shortPath } from "./call-facts";

/** A file that was read: which lines, and of how many. */
export function describeRead(facts: CallFacts): CallLine {
  const { input, cwd } = facts;
  const offset = asNumber(input.offset);
  const limit = asNumber(input.limit);
  const aside =
    offset === null && limit === null
      ? null
      : `${offset ?? 1}–${limit === null ? "" : (offset ?? 1) + limit - 1}`;
  return { subject: shortPath(asString(input.file_path), cwd), aside, result: readOutcome(facts) };
}

function readOutcome(facts: CallFacts): string | null {
  const file = readFile(facts);
  const dimensions = asObject(file?.dimensions);
  switch (facts.result?.type) {
    case "text": {
      const lines = asNumber(file?.numLines);
      const total = asNumber(file?.totalLines);
      if (lines === null) return null;
      if (file?.content === "") return "empty";
      return total !== null && total > lines ? `${lines} of ${count(total, "line")}` : count(lines, "line");
    }
    case "image": {
      const width = asNumber(dimensions?.originalWidth);
      const height = asNumber(dimensions?.originalHeight);
      return width === null || height === null ? "image" : `image ${width} × ${height}`;
    }
    case "notebook":
      return `notebook, ${count(asArray(file?.cells).length, "cell")}`;
    case "pdf":
      return "PDF";
    case "file_unchanged":
      return "unchanged";
    default:
      return null;
  }
}

/** A file that was written whole. */
export function describeWrite({ input, cwd, result }: CallFacts): CallLine {
  return {
    subject: shortPath(asString(input.file_path), cwd),
    result: result?.type === "create" ? "created" : null,
  };
}

/** A change of one place in a file, or of all that are alike. */
export function describeEdit({ input, cwd, result }: CallFacts): CallLine {
  const subject = shortPath(asString(input.file_path), cwd);
  return {
    subject,
    aside: result?.userModified === true ? "changed by you" : null,
    result: input.replace_all === true ? "all" : null,
  };
}

/** Several changes of one file (1.0.128). */
export function describeMultiEdit({ input, cwd }: CallFacts): CallLine {
  return {
    subject: shortPath(asString(input.file_path), cwd),
    result: count(asArray(input.edits).length, "edit"),
  };
}

/** A cell of a notebook, read or changed. */
export function describeNotebook({ input, cwd }: CallFacts): CallLine {
  const cell = asString(input.cell_id);
  const aside = [cell && `cell ${cell}`, asString(input.edit_mode)].filter(Boolean).join(", ");
  return { subject: shortPath(asString(input.notebook_path), cwd), aside: aside || null };
}

/** A pattern of paths, and how many files it found. */
export function describeGlob(facts: CallFacts): CallLine {
  const { input, cwd, result } = facts;
  const path = shortPath(asString(input.path), cwd);
  const files = asNumber(result?.numFiles);
  const more = result?.truncated === true ? "+" : "";
  return {
    subject: asString(input.pattern) ?? "",
    aside: path ? `in ${path}` : null,
    result:
      files === null ? null : `${files.toLocaleString("en-US")}${more} ${files === 1 ? "file" : "files"}`,
  };
}

/** A pattern in files, where it was looked for, and what was found. */
export function describeGrep({ input, cwd, result }: CallFacts): CallLine {
  const where = [shortPath(asString(input.path), cwd), asString(input.glob), asString(input.type)].filter(
    Boolean,
  );
  const files = asNumber(result?.numFiles);
  const lines = asNumber(result?.numMatches) ?? asNumber(result?.numLines);
  let outcome: string | null = null;
  if (lines !== null) outcome = files ? `${lines} in ${count(files, "file")}` : count(lines, "line");
  else if (files !== null) outcome = count(files, "file");
  return {
    subject: asString(input.pattern) ?? "",
    aside: where.length > 0 ? `in ${where.join(" ")}` : null,
    result: outcome,
  };
}

/** A folder that was listed. */
export function describeList({ input, cwd }: CallFacts): CallLine {
  const path = asString(input.path);
  return { subject: path === cwd ? "." : shortPath(path, cwd) };
}

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

/** What stands before the command proper: variables, changes of directory, wrappers. */
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
