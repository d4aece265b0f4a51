import { formatPlural } from "@/lib/format/format";
import { firstWords } from "@/lib/format/text";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { readWorkflowScript } from "@/lib/tools/workflow-script";
import { type CallLine, type DescribedCall, type Describers } from "./call-facts";

/** Calls about agents, the web and the list of tasks, and what the user or the client itself is asked for. */
export const OTHER_DESCRIBERS: Describers<"agents" | "web" | "tasks" | "client" | "other"> = {
  Agent: describeAgent,
  SendMessage: describeMessage,
  Workflow: describeWorkflow,
  WebFetch: describeFetch,
  WebSearch: describeWebSearch,
  ToolSearch: describeToolSearch,
  TodoWrite: describeTodos,
  TaskCreate: describeTaskCreate,
  TaskUpdate: describeTaskUpdate,
  TaskGet: describeTaskUpdate,
  TaskList: describeTaskList,
  EnterPlanMode: () => ({ subject: "start planning" }),
  ExitPlanMode: describePlan,
  AskUserQuestion: describeQuestion,
  Skill: describeSkill,
  SlashCommand: describeSkill,
  EnterWorktree: describeWorktree,
  ExitWorktree: describeWorktree,
};

/** A plan by its first heading, and whether it was accepted. */
function describePlan({ input, isError, text }: DescribedCall): CallLine {
  const plan = asString(input.plan) ?? "";
  const title = /^#+\s*(.+)$/m.exec(plan)?.[1] ?? plan;
  // The heading is only the tool's name: the text below it says which plan it is.
  const telling = /^(?:the )?plan[:.]?$/i.test(title.trim()) ? plan.replace(/^#+\s*.+$/m, "").trim() : title;
  return { subject: firstWords(telling || title, 120), result: isError || text === null ? null : "accepted" };
}

/** Letters of an answer, and of a question behind the first, in a line. */
const ANSWER_CHARS = 80;
const QUESTION_CHARS = 60;

/**
 * The first question to the user with its answer, and each other one with its own. Of several that were answered, one may
 * have none: its line says so, rather than show the answer of the next one.
 */
function describeQuestion({ input, result }: DescribedCall): CallLine {
  const questions = asArray(input.questions).map((one) => asString(asObject(one)?.question) ?? "");
  const answers = new Map(
    Object.entries(asObject(result?.answers) ?? {}).flatMap(([question, answer]) =>
      typeof answer === "string" ? [[question, firstWords(answer, ANSWER_CHARS)] as const] : [],
    ),
  );
  const [first = "", ...others] = questions;
  if (answers.size === 0) return { subject: first, aside: null, result: null };
  const answerOf = (question: string) => `→ ${answers.get(question) || "no answer"}`;
  // Its text names a question: answers to another text belong to none of these.
  const unasked = [...answers].filter(([question]) => !questions.includes(question));
  const lines = [
    ...(unasked.length > 0 && !answers.has(first) ? [] : [answerOf(first)]),
    ...others.map((question) => `${firstWords(question, QUESTION_CHARS)} ${answerOf(question)}`),
    ...unasked.map(([, answer]) => `→ ${answer}`),
  ];
  return { subject: first, aside: lines.join("; "), result: "answered" };
}

/** A worktree entered or left, and what happened to the work in it; if it was not left, what was asked for. */
function describeWorktree({ input, isError, result }: DescribedCall): CallLine {
  const left = asString(input.action) ?? asString(result?.action);
  if (isError) return { subject: asString(input.name) ?? "", aside: left };
  return {
    subject: asString(input.name) ?? asString(result?.worktreeBranch) ?? "",
    aside:
      left === null
        ? null
        : left === "keep"
          ? "left worktree, changes kept"
          : left === "remove"
            ? "left worktree, changes removed"
            : `left worktree, ${left}`,
    result: left === null && result ? "entered" : null,
  };
}

/** A skill or slash command with its arguments. */
function describeSkill({ input, result }: DescribedCall): CallLine {
  const subject = asString(input.skill) ?? asString(input.command) ?? asString(result?.commandName) ?? "";
  return { subject, aside: asString(input.args) };
}

/** A search for tools to load. */
function describeToolSearch({ input, result }: DescribedCall): CallLine {
  return {
    subject: asString(input.query) ?? "",
    result: result ? `${formatPlural(asArray(result.matches).length, "tool")} loaded` : null,
  };
}

/** An agent: what it was started for, and its type. */
function describeAgent({ input }: DescribedCall): CallLine {
  const subject = asString(input.description) ?? firstWords(asString(input.prompt) ?? "", 120);
  return { subject, aside: asString(input.subagent_type) };
}

/** Words from one agent to another. */
function describeMessage({ input }: DescribedCall): CallLine {
  const to = asString(input.to) ?? asString(input.recipient) ?? "";
  const { message, content } = input;
  const words = asString(message) ?? asString(content) ?? asString(asObject(message)?.type) ?? "";
  return { subject: `to ${to}`, aside: firstWords(words, 120) };
}

/** A workflow by its name, which its script says before there is a result, and what it came to. */
function describeWorkflow({ input, result }: DescribedCall): CallLine {
  const script = asString(input.script) ?? "";
  const name = asString(result?.workflowName) ?? asString(input.name) ?? asString(input.description);
  const subject = name ?? readWorkflowScript(script).name ?? firstWords(script, 120);
  return { subject, aside: asString(result?.summary) };
}

/** A page that was fetched, with its HTTP status. */
function describeFetch({ input, result }: DescribedCall): CallLine {
  const code = asNumber(result?.code);
  return { subject: asString(input.url) ?? "", result: code === null ? null : String(code) };
}

/** A search of the web, and how many links it gave. */
function describeWebSearch({ input, result }: DescribedCall): CallLine {
  const links = asArray(result?.results).reduce<number>(
    (sum, one) => sum + asArray(asObject(one)?.content).length,
    0,
  );
  return { subject: asString(input.query) ?? "", result: result ? formatPlural(links, "link") : null };
}

/** The whole to-do list, which every change rewrites: how far it has got, and what comes next. */
export function describeTodos({ input, result }: DescribedCall): CallLine {
  const list = input.todos ?? result?.newTodos;
  // No list: the call failed.
  if (!Array.isArray(list)) return { subject: firstWords(asString(list) ?? "", 120) };
  const todos = asArray(list).map(asObject);
  const done = todos.filter((todo) => todo?.status === "completed").length;
  const next =
    todos.find((todo) => todo?.status === "in_progress") ?? todos.find((todo) => todo?.status === "pending");
  const aside = asString(next?.content);
  if (todos.length === 0) return { subject: "list emptied" };
  return {
    subject: `${done} of ${todos.length} done`,
    aside: aside ? `next: ${firstWords(aside, 80)}` : null,
  };
}

/** A task added to the list. */
function describeTaskCreate({ input }: DescribedCall): CallLine {
  return { subject: asString(input.subject) ?? asString(input.description) ?? "", result: "added" };
}

/** A task named by its number: its subject, where the log gives it, and how its state changed. */
function describeTaskUpdate({ name, input, result, text, task: known }: DescribedCall): CallLine {
  const task = asObject(result?.task) ?? (name === "TaskGet" ? taskIn(text ?? "") : null);
  const change = asObject(result?.statusChange);
  const outcome = change
    ? `${formatStatus(change.from)} → ${formatStatus(change.to)}`
    : input.status === undefined
      ? null
      : formatStatus(input.status);
  const subject = asString(input.subject) ?? asString(task?.subject) ?? known ?? "";
  return {
    subject: `#${asString(input.taskId) ?? "?"} ${subject}`.trim(),
    aside: blockedBy(input),
    result: outcome ?? (task ? formatStatus(task.status) : null),
  };
}

/** What TaskGet prints of a task. */
function taskIn(text: string): JsonObject | null {
  const [, subject, status] = /^Task #\S+: (.*)\nStatus: (\w+)/.exec(text) ?? [];
  return status === undefined ? null : { subject, status };
}

/** A task's state in words. */
function formatStatus(status: unknown): string {
  const name = asString(status) ?? "?";
  return name === "completed" ? "done" : name.replaceAll("_", " ");
}

function blockedBy(input: JsonObject): string | null {
  const ids = asArray(input.addBlockedBy);
  return ids.length === 0 ? null : `waits for ${ids.map((id) => `#${String(id)}`).join(", ")}`;
}

/** How many tasks there were. Agents' lines, and those with several results (2.1.330), list them in the text alone. */
function describeTaskList({ result, text }: DescribedCall): CallLine {
  const tasks = result ? asArray(result.tasks) : (text?.match(/^#\S+ \[\w+\] /gm) ?? []);
  return { subject: "", result: result || text !== null ? formatPlural(tasks.length, "task") : null };
}
