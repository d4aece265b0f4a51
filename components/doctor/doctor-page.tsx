"use client";

import { useEffect } from "react";
import { ErrorState } from "@/components/ui/error-state";
import { Foot, Frame } from "@/components/ui/frame";
import { ApiError } from "@/lib/client/api-error";
import { DoctorProgress } from "./doctor-progress";
import { DoctorTop } from "./doctor-top";
import { ReportView } from "./report-view";
import { useDoctor, useDoctorUrl } from "./use-doctor";

/** What was read, and what is wrong with it: of all sessions, or of the one in the address. */
export function DoctorPage() {
  const [{ session }] = useDoctorUrl();
  const { report, progress } = useDoctor(session);
  const { data, error } = report;
  useEffect(() => {
    document.title = "Doctor · Backscroll";
  }, []);
  return (
    <Frame
      top={<DoctorTop session={data?.session ?? null} asked={session !== null} />}
      foot={<Foot left={<span>Read only: the doctor changes nothing.</span>} />}
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      {/* Focusable, so that keys scroll it. */}
      <main className="overflow-auto" tabIndex={-1}>
        {data ? (
          <ReportView report={data} />
        ) : error ? (
          <ErrorState
            title="The doctor has no answer"
            message={error.message}
            hint={error instanceof ApiError ? error.hint : undefined}
            onRetry={() => void report.refetch()}
          />
        ) : (
          <DoctorProgress progress={progress} />
        )}
      </main>
    </Frame>
  );
}
