import { type SessionContext, textSize } from "./session-context";
import { failedCall, plainCall, type ToolCall } from "./tool-results";

/** Results longer than this are cut, or kept in a file beside the log. */
const MAX_SHOWN = 30_000;

/** Bash: tests, builds, git, looking around; one in twelve fails. */
export function bashCall(context: SessionContext): ToolCall {
  const { random, prose, planter } = context;
  const command = planter.plant("input", bashCommand(context));
  const input = { command, description: prose.sentence().slice(0, 60) };
  const printed = prose.output(textSize(context, 1100, 1.3));
  const output = printed.length < MAX_SHOWN / 2 ? planter.plant("output", printed) : printed;
  const call = bashResult(context, input, output);
  call.durationMs = Math.round(random.logNormal(900, 1.4));
  if (random.chance(1 / 12))
    return failedCall(call, `Exit code ${random.int(1, 3)}\n${output.slice(0, MAX_SHOWN)}`);
  return call;
}

/** Bash with an output of about `size` characters: kept whole by 2.1.42, cut at 30,000 by the others. */
export function longBashCall(context: SessionContext, size: number): ToolCall {
  const input = { command: bashCommand(context), description: "Show everything" };
  return bashResult(context, input, context.prose.output(size));
}

function bashResult(
  context: SessionContext,
  input: { command: string; description: string },
  output: string,
): ToolCall {
  const { dialect, random, plan } = context;
  const noOutput = dialect.parallel === "fan" ? { noOutputExpected: false } : {};
  if (output.length <= MAX_SHOWN || dialect.extras === "snapshots") {
    const shown =
      output.length <= MAX_SHOWN
        ? output
        : `${output.slice(0, MAX_SHOWN)}\n\n... [${output.length - MAX_SHOWN} characters truncated] ...`;
    return plainCall("Bash", input, shown.trimEnd(), result(shown.trimEnd(), noOutput));
  }
  const name = `${dialect.keepsWholeOutput ? `toolu_${random.base62(24)}` : random.base62(9).toLowerCase()}.txt`;
  const path = `/home/dev/.claude/projects/${plan.slug}/${plan.id}/tool-results/${name}`;
  const size = Buffer.byteLength(output);
  const content = `<persisted-output>\nOutput too large (${(size / 1024).toFixed(1)}KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n${output.slice(0, 2000)}\n...\n</persisted-output>`;
  const structured = dialect.keepsWholeOutput
    ? result(output, noOutput)
    : result(output.slice(0, MAX_SHOWN), {
        ...noOutput,
        persistedOutputPath: path,
        persistedOutputSize: size,
      });
  return { ...plainCall("Bash", input, content, structured), persisted: { name, text: output } };
}

function result(stdout: string, more: object): object {
  return { stdout, stderr: "", interrupted: false, isImage: false, ...more };
}

function bashCommand(context: SessionContext): string {
  const { random, prose } = context;
  switch (random.int(0, 6)) {
    case 0:
      return `npm test -- ${prose.word()} 2>&1 | tail -${random.int(10, 80)}`;
    case 1:
      return `npx vitest run ${prose.path()} --reporter verbose`;
    case 2:
      return `git log --oneline -${random.int(3, 40)} -- ${prose.path()}`;
    case 3:
      return `npm run build && ls -la dist/${prose.word()}`;
    case 4:
      return `rg -n "${prose.word()} ${prose.word()}" src | head -${random.int(5, 60)}`;
    case 5:
      return `git diff --stat HEAD~${random.int(1, 9)} && git status --short`;
    default:
      return `node -e 'console.log(require("./${prose.word()}.json").${prose.word()})'`;
  }
}

/** Grep, in the three ways it answers. */
export function grepCall(context: SessionContext): ToolCall {
  const { random, prose } = context;
  const pattern = `${prose.word()}\\(`;
  const filenames = Array.from({ length: random.int(1, 14) }, () => prose.path());
  if (random.chance(0.5)) {
    const input = { pattern, path: context.plan.cwd, output_mode: "files_with_matches" };
    const shown = `Found ${filenames.length} files\n${filenames.join("\n")}`;
    return plainCall("Grep", input, shown, {
      mode: "files_with_matches",
      filenames,
      numFiles: filenames.length,
    });
  }
  const lines = prose.codeLines(Math.max(2, Math.min(200, textSize(context, 14, 0.8))));
  const content = lines
    .map((line, at) => `${filenames[at % filenames.length]}:${at * 7 + 3}:${line}`)
    .join("\n");
  const input = { pattern, output_mode: "content", "-n": true };
  return plainCall("Grep", input, content, {
    mode: "content",
    numFiles: 0,
    filenames: [],
    content,
    numLines: lines.length,
  });
}

/** Glob. */
export function globCall(context: SessionContext): ToolCall {
  const { random, prose, plan } = context;
  const filenames = Array.from({ length: random.int(1, 20) }, () => `${plan.cwd}/${prose.path()}`);
  const input = { pattern: `**/*${prose.word()}*.ts` };
  return plainCall("Glob", input, filenames.join("\n"), {
    filenames,
    durationMs: random.int(8, 300),
    numFiles: filenames.length,
    truncated: false,
  });
}

/** TodoWrite. */
export function todoCall(context: SessionContext): ToolCall {
  const { random, prose } = context;
  const todos = Array.from({ length: random.int(2, 6) }, (_, at) => {
    const content = prose.sentence().slice(0, 70);
    return { content, status: at === 0 ? "in_progress" : "pending", activeForm: content };
  });
  return plainCall(
    "TodoWrite",
    { todos },
    "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable",
    { oldTodos: [], newTodos: todos },
  );
}
