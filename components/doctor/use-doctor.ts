import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { api } from "@/lib/client/api";

/** The URL state of the page: one session or all, and which finding and extra are open. */
export function useDoctorUrl() {
  return useQueryStates(
    { session: parseAsString, finding: parseAsString, extra: parseAsString },
    { history: "replace" },
  );
}

/** The doctor's report for one session, or for all. `progress` counts bytes while files are examined. */
export function useDoctor(session: string | null) {
  const [progress, setProgress] = useState<{ bytesDone: number; bytesTotal: number } | null>(null);
  const report = useQuery({
    queryKey: ["doctor", session],
    queryFn: ({ signal }) => api.doctor(session, { signal, onScan: setProgress }),
  });
  return { report, progress };
}
