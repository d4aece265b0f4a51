import { useMemo } from "react";
import { encode } from "uqr";

/** A longer text makes squares that are too small for a camera. */
const MAX_CHARS = 900;
/** The margin that the standard asks for, in squares. */
const MARGIN = 4;

/** A text as a QR code, dark on light in any theme, as cameras want it. A text that is too long is said to be. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => (text.length > MAX_CHARS ? null : drawQrCode(text)), [text]);
  if (code === null)
    return <p className="text-12 text-fg-3">Too long for a QR code. Close some of the open rows for one.</p>;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="size-44 flex-none rounded-2 border border-line-2"
    >
      <rect width={code.size} height={code.size} fill="white" />
      <path d={code.path} fill="black" />
    </svg>
  );
}

/** The dark squares of a QR code as an SVG path, a rectangle for each run of them; `size`: of its sides, in squares. */
export function drawQrCode(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: MARGIN });
  const runs: string[] = [];
  for (const [y, line] of data.entries()) {
    for (let from = 0; from < size; from += 1) {
      if (!line[from]) continue;
      let to = from;
      while (line[to]) to += 1;
      runs.push(`M${from} ${y}h${to - from}v1h${from - to}z`);
      from = to;
    }
  }
  return { path: runs.join(""), size };
}
