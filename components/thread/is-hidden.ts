import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import type { ThreadChoice } from "@/lib/client/thread-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";

/** Whether the chosen view leaves a record out. One that cannot be asked for counts as shown. */
export async function isHidden(
  sessionId: SessionId,
  { branch, agent, detail, fold, runs }: ThreadChoice,
  recordId: RecordId,
): Promise<boolean> {
  if (detail === "everything" && fold === null) return false;
  try {
    const query = { branch, agent, detail, fold, runs, around: recordId, count: 1 };
    const { at } = await api.rows(sessionId, query);
    return at === null;
  } catch (cause) {
    if (cause instanceof ApiError) return false;
    throw cause;
  }
}
