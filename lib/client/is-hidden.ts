import type { RecordId, SessionId } from "@/lib/wire/ids";
import { api } from "./api";
import { ApiError } from "./api-error";
import type { ThreadChoice } from "./thread-url";

/** Whether the chosen view leaves a record out. One that cannot be asked for counts as shown. */
export async function isHidden(
  sessionId: SessionId,
  { branch, agent, detail, fold }: ThreadChoice,
  recordId: RecordId,
): Promise<boolean> {
  if (detail === "everything" && fold === null) return false;
  try {
    const { at } = await api.rows(sessionId, { branch, agent, detail, fold, around: recordId, count: 1 });
    return at === null;
  } catch (cause) {
    if (cause instanceof ApiError) return false;
    throw cause;
  }
}
