import type { CallDetail } from "@/lib/wire/record";

/** The fields of a value from a log, which may be of any type or missing. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A field if it is a string, else `null`. */
export function textField(value: unknown, name: string): string | null {
  const field = fieldsOf(value)[name];
  return typeof field === "string" ? field : null;
}

/** A field if it is a number, else `null`. */
export function numberField(value: unknown, name: string): number | null {
  const field = fieldsOf(value)[name];
  return typeof field === "number" ? field : null;
}

/** A field if it is a list, else an empty one. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const field = fieldsOf(value)[name];
  return Array.isArray(field) ? field : [];
}

/** Whether a result of the call says that it failed, or was refused. */
export function hasFailed({ results }: Pick<CallDetail, "results">): boolean {
  return results.some(({ isError }) => isError);
}

/** All text that the call returned, results and blocks in order. `cut`: the record contains more. */
export function resultText({ results }: CallDetail): { text: string; cut: boolean; length: number } {
  const texts = results.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])),
  );
  return {
    text: texts.map(({ text }) => text).join("\n"),
    cut: texts.some(({ cut }) => cut),
    length: texts.reduce((sum, { length }) => sum + length, 0),
  };
}
