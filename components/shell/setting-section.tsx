import type { ReactNode } from "react";

/** Settings that belong together, below their heading. */
export function SettingSection({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section aria-label={heading}>
      <h3 className="border-b border-line bg-panel px-4 text-[11px]/[24px] font-semibold text-fg-2">
        {heading}
      </h3>
      {children}
    </section>
  );
}
