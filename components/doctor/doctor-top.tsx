import Link from "next/link";
import type { DoctorReport } from "@/lib/wire/doctor";

/** Where we are: Backscroll / Doctor, and the session that is looked at. */
export function DoctorTop({ session, asked }: { session: DoctorReport["session"]; asked: boolean }) {
  return (
    <>
      <Link href="/" className="flex-none font-semibold hover:underline">
        Backscroll
      </Link>
      <Slash />
      {asked ? (
        <Link href="/doctor" className="flex-none text-accent hover:underline">
          Doctor
        </Link>
      ) : (
        <h1 className="flex-none font-semibold">Doctor</h1>
      )}
      {session ? (
        <>
          <Slash />
          <h1 className="min-w-0 flex-1 truncate" title={session.title}>
            {session.title}
          </h1>
          <Link
            href={`/sessions/${encodeURIComponent(session.id)}`}
            className="flex-none text-12 text-accent hover:underline"
          >
            Open the session
          </Link>
        </>
      ) : null}
    </>
  );
}

function Slash() {
  return (
    <span aria-hidden="true" className="text-fg-3">
      /
    </span>
  );
}
