import type { ReactNode } from "react";

/** A key as it is printed on the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-4 flex-none rounded-1 border border-line-2 bg-bg px-[3px] text-center font-sans text-[11px]/[14px] text-fg-2">
      {children}
    </kbd>
  );
}
