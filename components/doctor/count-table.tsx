import { Tag } from "@/components/ui/tag";
import { formatCount } from "@/lib/format/format-count";
import type { DoctorCount } from "@/lib/wire/doctor";

const HEAD = "border-y border-line bg-panel px-2 font-normal text-fg-3 whitespace-nowrap";

/** Names with how often each occurs, a column a version. Scrolls sideways where it is too wide, the names stay. */
export function CountTable({
  label,
  noun,
  rows,
  versions,
}: {
  label: string;
  noun: string;
  rows: readonly DoctorCount[];
  versions: readonly string[];
}) {
  if (rows.length === 0) return <p className="px-3 text-12 text-fg-3">None.</p>;
  return (
    <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="min-w-full border-separate border-spacing-0 text-12 tabular-nums">
        <thead className="text-11">
          <tr className="h-6">
            <th scope="col" className={`${HEAD} sticky left-0 pl-3 text-left`}>
              {noun}
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              all
            </th>
            {versions.map((version) => (
              <th key={version} scope="col" className={`${HEAD} text-right`}>
                {version || "no version"}
              </th>
            ))}
            <th aria-hidden="true" className={`${HEAD} w-full`} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, known, total, byVersion }) => (
            <tr key={name} className="h-6 hover:bg-raised">
              <th
                scope="row"
                className="sticky left-0 bg-bg py-0.5 pr-4 pl-3 text-left font-mono font-normal"
              >
                <span className="flex items-center gap-2">
                  <span className="max-w-[320px] truncate max-sm:max-w-[150px]" title={name}>
                    {name}
                  </span>
                  {known ? null : <Tag tone="warn">not known</Tag>}
                </span>
              </th>
              <td className="px-2 text-right">{formatCount(total)}</td>
              {versions.map((version) => (
                <td key={version} className="px-2 text-right text-fg-2">
                  {byVersion[version] ? (
                    formatCount(byVersion[version])
                  ) : (
                    <span className="text-fg-3">·</span>
                  )}
                </td>
              ))}
              <td aria-hidden="true" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
