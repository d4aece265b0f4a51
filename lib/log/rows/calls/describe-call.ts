import { firstWords } from "@/lib/format/text";
import { asString, type JsonObject } from "@/lib/log/records/json";
import { type ToolName, toolNamed, USUAL_FIELDS } from "@/lib/tools/tools";
import type { CallLine, DescribedCall, Describers } from "./call-facts";
import { FILE_DESCRIBERS } from "./describe-files";
import { OTHER_DESCRIBERS } from "./describe-others";
import { SHELL_DESCRIBERS } from "./describe-shell";

const DESCRIBERS: Partial<Record<ToolName, Describers<"shell">["Bash"]>> = {
  ...SHELL_DESCRIBERS,
  ...FILE_DESCRIBERS,
  ...OTHER_DESCRIBERS,
};

/** A call in one line. A failed one gives the first words of its error. */
export function describeCall(facts: DescribedCall): CallLine {
  const tool = toolNamed(facts.name);
  const describe = tool && DESCRIBERS[tool.name];
  const line = describe ? describe(facts) : describeByFields(facts.input, tool?.about ?? USUAL_FIELDS);
  if (!facts.isError || line.result?.startsWith("exit ")) return line;
  // Without a terminal (`-p`) the client answers such a call with its own question.
  if (/^(?:Error: )?(?:Exit plan mode|Answer questions)\?$/.test(facts.text ?? ""))
    return { ...line, result: "nobody to ask" };
  return { ...line, result: firstWords(plainError(facts.text ?? ""), 90) || "failed" };
}

/** The words of an error without the client's wrapping. */
function plainError(text: string): string {
  return text
    .replace(/<\/?tool_use_error>/g, "")
    .replace(/^Error:\s*/, "")
    .trim();
}

const MAX_SUBJECT = 200;

/** The first of the fields that holds a text, or the whole input on one line. */
function describeByFields(input: JsonObject, fields: readonly string[]): CallLine {
  for (const field of fields) {
    const value = asString(input[field]);
    if (value) return { subject: firstWords(value, MAX_SUBJECT) };
  }
  const entries = Object.entries(input).map(([key, value]) => `${key}: ${formatValue(value)}`);
  return { subject: firstWords(entries.join(", "), MAX_SUBJECT) };
}

function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? `[${value.length}]` : "{…}";
  return String(value);
}
