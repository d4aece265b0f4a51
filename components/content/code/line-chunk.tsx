import type { ReactNode } from "react";

/** Lines that are drawn together: a change of one part of a text leaves the others alone. */
export const CHUNK_LINES = 50;

/** Some lines of code or output. Off the screen they cost neither layout nor paint; their height is known. */
export function LineChunk({ lines, children }: { lines: number; children: ReactNode }) {
  return (
    <div
      className="[content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto calc(${lines * 18}px * var(--u))` }}
    >
      {children}
    </div>
  );
}
