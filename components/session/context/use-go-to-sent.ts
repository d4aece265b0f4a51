import { useEffect, useRef } from "react";
import { isRecordHidden } from "@/components/thread/thread-position";
import { useThreadUrl } from "@/lib/client/address/session-history";
import { threadChoice } from "@/lib/client/address/session-url";
import { usePreferences } from "@/lib/client/preferences";
import type { RecordId, SessionId } from "@/lib/wire/ids";

/**
 * Returns a function that goes to one of a request's records in the thread. Many of these records are hidden by most
 * detail levels; if the current one hides the record, the level changes to everything. Of several that are asked for
 * before it is known which are hidden the last one counts, and none once the request is not shown any more.
 */
export function useGoToSent(
  sessionId: SessionId,
  onGo: (recordId: RecordId) => void,
): (recordId: RecordId) => void {
  const [url, setUrl] = useThreadUrl();
  const { detail: preferred, foldRuns } = usePreferences();
  const wanted = useRef<RecordId | null>(null);
  useEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );
  const go = async (recordId: RecordId) => {
    wanted.current = recordId;
    const isHidden = await isRecordHidden(sessionId, threadChoice(url, preferred, foldRuns), recordId);
    if (wanted.current !== recordId) return;
    if (isHidden) setUrl({ detail: "everything", fold: null, at: recordId });
    else onGo(recordId);
  };
  return (recordId) => void go(recordId);
}
