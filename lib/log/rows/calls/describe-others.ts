import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/cut-text";
import { type CallFacts, type CallLine, count } from "./call-facts";

/** A plan by its first heading, and whether it was accepted. */
export function describePlan({ input, isError, text }: CallFacts): CallLine {
  const plan = asString(input.plan) ?? "";
  const title = /^#+\s*(.+)$/m.exec(plan)?.[1] ?? plan;
  // A heading that says no more than the tool's name: what stands below it says which plan.
  const said = /^(?:the )?plan[:.]?$/i.test(title.trim()) ? plan.replace(/^#+\s*.+$/m, "").trim() : title;
  return { subject: firstWords(said || title, 120), result: isError || text === null ? null : "accepted" };
}

/** The first question to a person, and the answers. */
export function describeQuestion({ input, result }: CallFacts): CallLine {
  const questions = asArray(input.questions).map(asObject);
  const answers = Object.values(asObject(result?.answers) ?? {}).filter(
    (answer) => typeof answer === "string",
  );
  const aside = answers.length > 0 ? `→ ${firstWords(answers.join(", "), 80)}` : null;
  return {
    subject: asString(questions[0]?.question) ?? "",
    aside,
    result: answers.length > 0 ? "answered" : null,
  };
}

/** A worktree entered or left, and what became of the work in it. */
export function describeWorktree({ input, result }: CallFacts): CallLine {
  const left = asString(input.action) ?? asString(result?.action);
  return {
    subject: asString(input.name) ?? asString(result?.worktreeBranch) ?? "",
    aside: left === null ? null : left === "keep" ? "left, its work kept" : `left, ${left}`,
    result: left === null && result ? "entered" : null,
  };
}

/** A skill or slash command with its arguments. */
export function describeSkill({ input, result }: CallFacts): CallLine {
  const subject = asString(input.skill) ?? asString(input.command) ?? asString(result?.commandName) ?? "";
  return { subject, aside: asString(input.args) };
}

/** A search for tools to load. */
export function describeToolSearch({ input, result }: CallFacts): CallLine {
  return {
    subject: asString(input.query) ?? "",
    result: result ? `${count(asArray(result.matches).length, "tool")} loaded` : null,
  };
}

/** Fields that say what a call is about, in the order of how well they do. */
const TELLING = [
  "command",
  "file_path",
  "path",
  "notebook_path",
  "pattern",
  "query",
  "url",
  "description",
  "name",
  "subject",
  "message",
  "prompt",
  "text",
  "id",
];

/** A call of a tool without a describer: its most telling input, or all of it on one line. */
export function describeAny({ input }: CallFacts): CallLine {
  for (const field of TELLING) {
    const value = asString(input[field]);
    if (value) return { subject: firstWords(value, 200) };
  }
  return { subject: compact(input) };
}

function compact(input: JsonObject): string {
  const entries = Object.entries(input);
  if (entries.length === 0) return "";
  return firstWords(entries.map(([key, value]) => `${key}: ${shown(value)}`).join(", "), 200);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? `[${value.length}]` : "{…}";
  return String(value);
}
