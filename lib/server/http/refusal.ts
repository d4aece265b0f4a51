import type { ErrorBody } from "@/lib/wire/health";

/** Why the gate turns a request away: the HTTP status, and what its body says. */
export type Refusal = {
  status: 401 | 403 | 404 | 405 | 413;
  code: string;
  message: string;
  hint: string;
  /** With a 405: the methods that the address takes, as the `Allow` header lists them. */
  allow?: string;
};

/** The answer that carries a refusal. Never cached, and never readable by another origin. */
export function toResponse({ status, code, message, hint, allow }: Refusal): Response {
  const body: ErrorBody = { error: { code, message, hint } };
  return Response.json(body, { status, headers: allow === undefined ? {} : { allow } });
}
