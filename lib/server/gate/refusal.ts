import type { ErrorBody } from "@/lib/wire/health";

/** Why the gate turns a request away: the HTTP status, and what its body says. */
export type Refusal = { status: 400 | 403 | 404 | 405; code: string; message: string; hint: string };

/** The answer that carries a refusal. Never cached, and never readable by another origin. */
export function toResponse({ status, code, message, hint }: Refusal): Response {
  const body: ErrorBody = { error: { code, message, hint } };
  return Response.json(body, { status });
}
