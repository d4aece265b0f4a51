import type { LogSpan } from "./log-span";

const NONE = -1;

/** A part of the critical path. */
type Piece = { span: number; fromMs: number; toMs: number };

type Frame = {
  owner: number;
  fromMs: number;
  /** Its remaining part ends here. */
  toMs: number;
  /**
   * Its parts in the order in which they ended, the last one at the end. Parts that can't follow any more have been
   * removed.
   */
  parts: number[];
  /** The part with which the path continues, whatever else was running then; -1 for the one that ended last. */
  next: number;
};

/**
 * What a stretch of time was waiting for, determined from its end: the span that ended last, then what that had waited
 * for. A call waits for the answer that asked for it, not for calls beside it; a span's own contents are followed as
 * well. Background work is never on the path, nor a wait of which only a bound is known.
 * @param top the spans directly in the stretch
 * @returns pieces in order, which cover the stretch as far as spans do, and never overlap
 */
export function criticalPath(
  spans: readonly LogSpan[],
  top: readonly number[],
  childrenOf: ReadonlyMap<number, readonly number[]>,
  fromMs: number,
  toMs: number,
): Piece[] {
  const pieces: Piece[] = [];
  const at = (index: number) => spans[index] as LogSpan;
  const frameOf = (owner: number, parts: readonly number[], from: number, to: number): Frame => ({
    owner,
    fromMs: from,
    toMs: to,
    parts: parts
      .filter((index) => blocks(at(index)))
      .sort((a, b) => at(a).endMs - at(b).endMs || at(b).startMs - at(a).startMs || a - b),
    next: NONE,
  });
  const put = (span: number, from: number, to: number) => {
    if (span !== NONE && to > from) pieces.push({ span, fromMs: from, toMs: to });
  };
  const frames = [frameOf(NONE, top, fromMs, toMs)];
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const index = takeLast(frame, at);
    if (index === NONE) {
      put(frame.owner, frame.fromMs, frame.toMs);
      frames.pop();
      continue;
    }
    const { startMs, endMs, after } = at(index);
    const to = Math.min(endMs, frame.toMs);
    const from = Math.max(startMs, frame.fromMs);
    put(frame.owner, to, frame.toMs);
    frame.toMs = from;
    frame.next = after;
    const inside = childrenOf.get(index) ?? [];
    if (inside.length > 0) frames.push(frameOf(index, inside, from, to));
    else put(index, from, to);
  }
  return pieces.reverse();
}

/** Takes the part of a frame that the rest of it waited for, -1 for none. */
function takeLast(frame: Frame, at: (index: number) => LogSpan): number {
  const isBefore = (index: number) => at(index).startMs < frame.toMs && at(index).endMs > frame.fromMs;
  const { next } = frame;
  frame.next = NONE;
  if (frame.toMs <= frame.fromMs) return NONE;
  if (next !== NONE && isBefore(next)) return next;
  while (frame.parts.length > 0) {
    const index = frame.parts.pop() as number;
    if (isBefore(index)) return index;
  }
  return NONE;
}

function blocks({ background, kind, exact }: LogSpan): boolean {
  return !background && (kind !== "permission" || exact);
}
