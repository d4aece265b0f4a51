import Link from "next/link";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatCount } from "@/lib/format/format-count";
import type { DoctorFinding, DoctorPlace } from "@/lib/wire/doctor";

/** The first places of a finding, each a link to its record. */
export function PlaceTable({ finding: { title, count, places } }: { finding: DoctorFinding }) {
  return (
    <div role="group" aria-label={title} tabIndex={0} className="overflow-x-auto bg-panel">
      <table className="min-w-full text-12 tabular-nums">
        <thead className="text-11 text-fg-3">
          <tr className="h-6 text-left whitespace-nowrap *:px-2 *:font-normal">
            <th scope="col" className="pl-9! max-sm:pl-3!">
              where
            </th>
            <th scope="col" className="text-right">
              bytes
            </th>
            <th scope="col" className="w-full">
              what
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((place, at) => (
            <tr key={at} className="h-6 align-top whitespace-nowrap *:px-2 *:py-0.5">
              <td className="pl-9! max-sm:pl-3! font-mono">
                <Place place={place} />
              </td>
              <td className="text-right text-fg-2">
                {formatCount(place.offset)}–{formatCount(place.offset + place.length)}
              </td>
              <td className="min-w-[240px] max-sm:min-w-[120px] whitespace-normal text-fg-2 [overflow-wrap:anywhere]">
                <VisibleText text={place.note} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > places.length ? (
        <p className="px-9 max-sm:px-3 pb-2 text-11 text-fg-3">
          The first {formatCount(places.length)} of {formatCount(count)}.
        </p>
      ) : null}
    </div>
  );
}

function Place({ place: { sessionId, recordId, file, line } }: { place: DoctorPlace }) {
  const name = `${shortName(file)}:${line}`;
  if (sessionId === null) return <span title={file}>{name}</span>;
  // A record of an agent's leads to that agent by itself; what is no record yet stands behind the last one.
  const query = new URLSearchParams({
    detail: "everything",
    ...(recordId === null ? { follow: "1" } : { at: recordId }),
  });
  return (
    <Link
      href={`/sessions/${encodeURIComponent(sessionId)}?${query}`}
      prefetch={false}
      title={file}
      className="text-accent hover:underline"
    >
      {name}
    </Link>
  );
}

/** A file's name with the UUID cut to its first part: `26181f80….jsonl`. */
function shortName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}/, "$1…");
}
