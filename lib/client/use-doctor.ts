import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import type { DoctorReport } from "@/lib/wire/doctor";
import type { ExtrasResponse, ExtraText } from "@/lib/wire/extras";
import type { SessionId } from "@/lib/wire/ids";
import { getJson } from "./get-json";

/** What the page shows, from its address: one session or all, and the finding and extra that are open. */
export function useDoctorUrl() {
  return useQueryStates(
    { session: parseAsString, finding: parseAsString, extra: parseAsString },
    { history: "replace" },
  );
}

/** The doctor's report of one session, or of all. `progress` counts bytes while files are examined. */
export function useDoctor(session: string | null) {
  const [progress, setProgress] = useState<{ bytesDone: number; bytesTotal: number } | null>(null);
  const report = useQuery({
    queryKey: ["doctor", session],
    queryFn: ({ signal }) =>
      getJson<DoctorReport>("/api/doctor", { signal, query: { session }, onScan: setProgress }),
    staleTime: 5_000,
  });
  return { report, progress };
}

/** What else the client keeps of a session. */
export function useExtras(session: SessionId) {
  return useQuery({
    queryKey: ["extras", session],
    queryFn: ({ signal }) =>
      getJson<ExtrasResponse>(`/api/sessions/${encodeURIComponent(session)}/extras`, { signal }),
  });
}

/** The text of one of them. */
export function useExtraText(session: SessionId, id: string) {
  return useQuery({
    queryKey: ["extra", session, id],
    queryFn: ({ signal }) =>
      getJson<ExtraText>(`/api/sessions/${encodeURIComponent(session)}/extras/${encodeURIComponent(id)}`, {
        signal,
      }),
  });
}
