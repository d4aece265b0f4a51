import type { ReactNode } from "react";

/** A small word with a hairline behind it, between parts of an opened block. */
export function SectionLine({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-[18px] items-center gap-2 px-3 text-11 whitespace-nowrap text-fg-3 tabular-nums">
      {children}
      <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-line" />
    </div>
  );
}
