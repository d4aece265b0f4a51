"use client";

import { useDelayed } from "@/lib/client/use-delayed";

const WIDTHS = ["w-[30%]", "w-[52%]", "w-[44%]", "w-[40%]", "w-[60%]", "w-[36%]", "w-[48%]", "w-[42%]"];

/** Rows to come, in their geometry: a dot, a name, a subject, a number. Still, and not before 150 ms. */
export function SkeletonRows({
  count,
  label,
  rowClass = "h-row",
}: {
  count: number;
  label: string;
  rowClass?: string;
}) {
  const shown = useDelayed(true);
  return (
    <div role="status" aria-label={label}>
      {shown
        ? Array.from({ length: count }, (_, row) => (
            <div
              key={row}
              className={`grid grid-cols-[24px_56px_1fr_40px] items-center gap-3 px-3 ${rowClass}`}
            >
              <span className="m-auto size-[7px] rounded-full bg-line-2" />
              <span className="h-2 rounded-[2px] bg-raised" />
              <span className={`h-2 rounded-[2px] bg-raised ${WIDTHS[row % WIDTHS.length]}`} />
              {row % 5 === 1 ? <span /> : <span className="h-2 rounded-[2px] bg-raised" />}
            </div>
          ))
        : null}
    </div>
  );
}
