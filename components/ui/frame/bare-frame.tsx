import type { ReactNode } from "react";

/** A page's frame before its scripts run: the bars that every page has, and `children` between them. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)_auto]">
      <div aria-hidden="true" className="h-[var(--bar)] border-b border-line-2 bg-panel shown-soon" />
      <div className="min-h-0 min-w-0">{children}</div>
      <div aria-hidden="true" className="h-foot border-t border-line-2 bg-panel shown-soon max-sm:h-[52px]" />
    </div>
  );
}
