import type { ReactNode } from "react";
import { formatCount } from "@/lib/format/format-count";

/** A part of the report under its heading. */
export function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h2 className="flex h-tool items-center gap-2 px-3 font-semibold">
        {title}
        {count === undefined ? null : (
          <span className="text-11 font-normal text-fg-3 tabular-nums">{formatCount(count)}</span>
        )}
      </h2>
      {children}
    </section>
  );
}
