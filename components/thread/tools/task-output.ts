import { fieldsOf, listField, numberField, resultText, textField } from "@/components/content/log-values";
import type { CallDetail } from "@/lib/wire/record";

export type TaskOutput = {
  status: string | null;
  exitCode: number | null;
  /** What the task is, in its own words. */
  about: string | null;
  command: string | null;
  text: string;
  errors: string | null;
};

/**
 * What BashOutput (≤ 2.0.50) and TaskOutput (2.0.76 on) say of a task: from the structured result, or, on
 * agents' lines, which have none from 2.1.29 on, from the tags in the text. `null` for any other answer.
 */
export function readTaskOutput(call: CallDetail): TaskOutput | null {
  const [result] = call.results;
  if (!result || result.isError) return null;
  const { structured } = result;
  const task = fieldsOf(structured).task;
  if (task !== undefined) {
    const output = textField(task, "output") ?? textField(task, "result");
    return {
      status: textField(task, "status") ?? textField(structured, "retrieval_status"),
      exitCode: numberField(task, "exitCode"),
      about: textField(task, "description"),
      command: null,
      text: answersOf(output ?? "") ?? (output ?? "").trimEnd(),
      errors: null,
    };
  }
  if (textField(structured, "shellId") !== null) {
    return {
      status: textField(structured, "status"),
      exitCode: numberField(structured, "exitCode"),
      about: null,
      command: textField(structured, "command"),
      text: textField(structured, "stdout") ?? "",
      errors: textField(structured, "stderr") || null,
    };
  }
  return readTags(resultText(call).text);
}

function readTags(text: string): TaskOutput | null {
  const status = tagged(text, "status");
  if (status === null) return null;
  const code = tagged(text, "exit_code");
  return {
    status,
    exitCode: code === null || Number.isNaN(Number(code)) ? null : Number(code),
    about: null,
    command: null,
    text: tagged(text, "stdout") ?? tagged(text, "output") ?? "",
    errors: tagged(text, "stderr"),
  };
}

function tagged(text: string, tag: string): string | null {
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from === -1 || to < from ? null : text.slice(from + tag.length + 2, to).replace(/^\n|\n$/g, "");
}

/** 2.1.29 and 2.1.42 give the lines of an agent's log: what it said in them. `null` for any other output. */
function answersOf(output: string): string | null {
  const texts: string[] = [];
  for (const line of output.split("\n").filter(Boolean)) {
    const record = parseLine(line);
    if (textField(record, "type") === null || !("uuid" in fieldsOf(record))) return null;
    if (textField(record, "type") !== "assistant") continue;
    for (const block of listField(fieldsOf(record).message, "content")) {
      const text = textField(block, "text");
      if (text) texts.push(text);
    }
  }
  return texts.length > 0 ? texts.join("\n\n") : null;
}

/** A line that is cut is none of a log. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
