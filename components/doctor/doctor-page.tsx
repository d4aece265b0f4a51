"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { PageMenu } from "@/components/share/page-menu";
import { Foot, Frame } from "@/components/ui/frame/frame";
import { HomeCrumb, Slash } from "@/components/ui/home-crumb";
import { Link } from "@/components/ui/link";
import { FailedState, Progress } from "@/components/ui/states";
import { Moment } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { useDelayed } from "@/lib/client/use-debounced";
import { formatBytesOf } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { DoctorReport } from "@/lib/wire/doctor";
import { useDoctorUrl } from "./finding-list";
import { ReportView } from "./report-view";

/** What was read and what is wrong with it, for all sessions or for the one named in the URL. */
export function DoctorPage() {
  const [{ session }] = useDoctorUrl();
  const { report, progress } = useDoctor(session);
  const { data, error } = report;
  return (
    <Frame
      top={<DoctorTop session={data?.session ?? null} asked={session !== null} />}
      foot={
        <Foot
          left={<span>Read-only: nothing on disk is changed.</span>}
          right={
            data && (
              <span>
                examined <Moment atMs={report.dataUpdatedAt} />
              </span>
            )
          }
        />
      }
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      {/* Focusable, so that it scrolls with the keyboard. */}
      <main className="overflow-auto" tabIndex={-1}>
        {data ? (
          <ReportView report={data} />
        ) : error ? (
          <FailedState title="Couldn’t run diagnostics" error={error} onRetry={() => void report.refetch()} />
        ) : (
          <DoctorProgress progress={progress} />
        )}
      </main>
    </Frame>
  );
}

/** Breadcrumb: Backscroll / Diagnostics, and the session under examination; then the page's menu. */
function DoctorTop({ session, asked }: { session: DoctorReport["session"]; asked: boolean }) {
  return (
    <>
      <HomeCrumb short={session !== null} />
      {asked ? (
        <Link href="/doctor" className="flex-none text-accent hover:underline">
          Diagnostics
        </Link>
      ) : (
        <h1 className="flex-none font-semibold">Diagnostics</h1>
      )}
      {session ? (
        <>
          <Slash />
          <h1 className="min-w-0 flex-1 truncate" title={labelHidden(session.title)}>
            <VisibleText text={session.title} />
          </h1>
          <Link
            href={`/sessions/${encodeURIComponent(session.id)}`}
            className="flex-none text-12 text-accent hover:underline"
          >
            Open<span className="max-sm:sr-only"> the session</span>
          </Link>
        </>
      ) : (
        <span className="flex-1" />
      )}
      <PageMenu />
    </>
  );
}

/** How far the examination has got. Shows nothing at first, because most reports arrive at once. */
function DoctorProgress({ progress }: { progress: { bytesDone: number; bytesTotal: number } | null }) {
  const shown = useDelayed(true);
  if (!shown) return null;
  const { bytesDone, bytesTotal } = progress ?? { bytesDone: 0, bytesTotal: 0 };
  return (
    <div role="status" className="flex h-full overflow-auto p-6 text-12 text-fg-2 max-sm:p-4">
      <div className="m-auto grid w-full max-w-[440px] gap-2">
        <span>
          Examining every line
          {bytesTotal > 0 ? (
            <span className="tabular-nums">: {formatBytesOf(bytesDone, bytesTotal)}</span>
          ) : null}
        </span>
        <Progress share={bytesTotal === 0 ? 0 : bytesDone / bytesTotal} label="Bytes examined" thick />
      </div>
    </div>
  );
}

/** The doctor's report for one session, or for all. `progress` counts bytes while files are examined. */
function useDoctor(session: string | null) {
  const [progress, setProgress] = useState<{ bytesDone: number; bytesTotal: number } | null>(null);
  const report = useQuery({
    queryKey: ["doctor", session],
    queryFn: ({ signal }) => api.doctor(session, { signal, onScan: setProgress }),
  });
  return { report, progress };
}
