import { toPrintableJson } from "@/lib/format/control-characters";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ErrorBody } from "@/lib/wire/health";
import type { ScanProgress } from "@/lib/wire/session";
import { isAuthorised, UNAUTHORISED } from "./authorise";
import { getState } from "./state";

const HEADERS = { "cache-control": "no-store", "content-type": "application/json" };

/**
 * Answers an API request: 401 without the token, else what `answer` returns as JSON: 202 for a
 * ScanProgress, a Response as it is. ViewerErrors become `{error: {code, message, hint}}` with their
 * status, anything else a 500 that tells neither message nor stack. Nothing is ever cached.
 */
export async function respond(
  request: Request,
  answer: () => unknown,
  isAllowed: (request: Request) => boolean = isAuthorised,
): Promise<Response> {
  try {
    if (!isAllowed(request)) throw unauthorised();
    const { activity } = getState();
    const value = await activity.during(answer);
    if (value instanceof Response) {
      // Streams say so themselves: they must not be transformed either.
      if (value.headers.get("content-type") !== "text/event-stream")
        value.headers.set("cache-control", "no-store");
      return value;
    }
    return new Response(toPrintableJson(value), {
      status: isScanProgress(value) ? 202 : 200,
      headers: HEADERS,
    });
  } catch (error) {
    return toErrorResponse(error);
  }
}

function toErrorResponse(error: unknown): Response {
  if (isViewerError(error)) {
    const { code, message, hint, path } = error;
    const body: ErrorBody = { error: { code, message, hint, ...(path === undefined ? {} : { path }) } };
    return new Response(toPrintableJson(body), { status: error.status, headers: HEADERS });
  }
  console.error(error);
  const body: ErrorBody = {
    error: {
      code: "internal-error",
      message: "Backscroll failed to answer",
      hint: "This is a bug. The terminal that runs Backscroll shows where.",
    },
  };
  return new Response(toPrintableJson(body), { status: 500, headers: HEADERS });
}

function unauthorised(): ViewerError {
  const { code, message, status, hint } = UNAUTHORISED;
  return new ViewerError(code, message, { status, hint });
}

function isScanProgress(value: unknown): value is ScanProgress {
  return typeof value === "object" && value !== null && "scanning" in value;
}
