import Link from "next/link";
import type { CarriedRow } from "@/lib/wire/row-base";

/** Leads to the other session that a row belongs to: a plan that is carried out begins with lines of the session before. */
export function CarriedLink({ carried }: { carried: CarriedRow }) {
  const { way, sessionId, title, recordId } = carried;
  const place = recordId === null ? "" : `?at=${encodeURIComponent(recordId)}`;
  return (
    <Link
      prefetch={false}
      tabIndex={-1}
      href={`/sessions/${encodeURIComponent(sessionId)}${place}`}
      title={way === "from" ? `Carried over from “${title}”` : `Answered in “${title}”`}
      className="flex-none text-accent hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {way === "from" ? "from the previous session" : "result in the next session"}
    </Link>
  );
}
