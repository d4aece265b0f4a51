import type { z } from "zod";
import { ViewerError } from "@/lib/server/runtime/viewer-error";

/**
 * Checks the query of a request's address. Throws ViewerError `bad-parameter` (400) that names the parameter and
 * what is allowed.
 */
export function parseSearchParams<T extends z.ZodType>(request: Request, schema: T): z.output<T> {
  return check(schema, Object.fromEntries(new URL(request.url).searchParams));
}

/** Checks the parts of a path, as `parseSearchParams` does. */
export async function parsePath<T extends z.ZodType>(
  params: Promise<unknown>,
  schema: T,
): Promise<z.output<T>> {
  return check(schema, await params);
}

/**
 * Checks a JSON body, as `parseSearchParams` does. No body is an empty object. Throws ViewerError `bad-body` (400) for one
 * that breaks off while it is read, or is no JSON: what it says would otherwise be taken for not said.
 */
export async function parseBody<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  return check(schema, await readBody(request));
}

async function readBody(request: Request): Promise<unknown> {
  try {
    const text = await request.text();
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch (cause) {
    const isRead = cause instanceof SyntaxError;
    throw new ViewerError("bad-body", isRead ? "The body is not valid JSON" : "The body could not be read", {
      status: 400,
      hint: isRead ? "Send an object in JSON." : "Send the request again.",
      cause,
    });
  }
}

function check<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = issue?.path.join(".") || "query";
  throw new ViewerError("bad-parameter", `The parameter "${name}" is not valid`, {
    status: 400,
    hint: `Allowed is ${issue ? allowedBy(issue) : "another"}.`,
  });
}

const KINDS: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};
const UNITS: Record<string, string> = { string: " characters", array: " entries" };

/** What would have been taken, in words: shapes say it themselves in their patterns and conditions. */
function allowedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `one of ${issue.values.join(", ")}`;
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "too_big":
      return `at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
    case "too_small":
      return `at least ${issue.minimum}${UNITS[issue.origin] ?? ""}`;
    default:
      return issue.message;
  }
}
