import { isHidden } from "@/components/thread/is-hidden";
import { usePreferences } from "@/lib/client/preferences";
import { threadChoice, useThreadUrl } from "@/lib/client/thread-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";

/**
 * The way from a request to a record of it. Much of what is sent stands in records that most views hide;
 * where this one does, it shows everything.
 */
export function useGoToSent(
  sessionId: SessionId,
  onGo: (recordId: RecordId) => void,
): (recordId: RecordId) => void {
  const [url, setUrl] = useThreadUrl();
  const { detail: preferred, foldRuns } = usePreferences();
  const go = async (recordId: RecordId) => {
    if (await isHidden(sessionId, threadChoice(url, preferred, foldRuns), recordId)) {
      setUrl({ detail: "everything", fold: null, at: recordId });
    } else onGo(recordId);
  };
  return (recordId) => void go(recordId);
}
