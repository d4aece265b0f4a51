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

/** Checks a JSON body, as `parseSearchParams` does. A body that is no JSON is an empty one. */
export async function parseBody<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  return check(schema, await request.json().catch(() => ({})));
}

function check<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = issue?.path.join(".") || "query";
  const allowed =
    issue?.code === "invalid_value" ? `one of ${issue.values.join(", ")}` : (issue?.message ?? "");
  throw new ViewerError("bad-parameter", `The parameter "${name}" is not valid`, {
    status: 400,
    hint: `Allowed is ${allowed}.`,
  });
}
