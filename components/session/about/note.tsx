import type { ReactNode } from "react";

/** What stands in a list's place. */
export function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 py-2 text-12 text-fg-3">{children}</p>;
}
