import { useEffect, useState } from "react";
import { putLatest } from "@/lib/format/lists";
import {
  HIGHLIGHT_LIMITS,
  type HighlightReply,
  type HighlightRequest,
  type LineSpans,
  unpackSpans,
} from "./highlight-job";

type Job = HighlightRequest & { resolve: (lines: LineSpans[]) => void };

const MAX_CACHED_BLOCKS = 200;

const cache = new Map<string, Promise<LineSpans[]>>();
let queue: Job[] = [];
let running: Job | null = null;
let worker: Worker | null = null;
/** In which the worker has done something. */
let begun = new Set<string>();
let killTimer: ReturnType<typeof setTimeout> | undefined;
let nextId = 1;

/** Highlights a block in a worker. Resolves to spans for each line, or none without a grammar or after a timeout. */
function highlightCode(code: string, language: string): Promise<LineSpans[]> {
  const key = `${language}\u0000${hash(code)}\u0000${code.length}`;
  const known = cache.get(key);
  if (known) return known;
  const lines = new Promise<LineSpans[]>((resolve) => {
    queue.push({ id: nextId++, code, language, resolve });
  });
  putLatest(cache, key, lines, MAX_CACHED_BLOCKS);
  runNext();
  return lines;
}

function runNext(): void {
  if (running) return;
  running = queue[0] ?? null;
  queue = queue.slice(1);
  if (!running) return;
  const { id, code, language } = running;
  worker ??= startWorker();
  worker.postMessage({ id, code, language } satisfies HighlightRequest);
}

let makeWorker = (): Worker =>
  new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });

/** Replaces how workers are made from now on: an exported file has no address to load one from. */
export function makeWorkersWith(make: typeof makeWorker): void {
  makeWorker = make;
}

function startWorker(): Worker {
  const started = makeWorker();
  started.onmessage = ({ data }: MessageEvent<HighlightReply>) => {
    if (data.id !== running?.id) return;
    const { language } = running;
    if (data.kind === "started") {
      const { killMs, beginningMs } = HIGHLIGHT_LIMITS;
      killTimer = setTimeout(restart, begun.has(language) ? killMs : beginningMs);
      return;
    }
    begun.add(language);
    finish(unpackSpans(data.spans));
  };
  // A chunk failed to load or a grammar threw: the block stays plain.
  started.onerror = restart;
  return started;
}

function restart(): void {
  worker?.terminate();
  worker = null;
  begun = new Set();
  finish([]);
}

function finish(lines: LineSpans[]): void {
  clearTimeout(killTimer);
  const job = running;
  running = null;
  job?.resolve(lines);
  runNext();
}

/** FNV-1a over the UTF-16 code units, in base 36. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(36);
}

const NONE: LineSpans[] = [];
const NEITHER: readonly [LineSpans[], LineSpans[]] = [NONE, NONE];

/** Spans for each line; empty until the worker answers, and for languages without a grammar. */
export function useHighlight(code: string, language: string | null): LineSpans[] {
  return useHighlights(code, "", language)[0];
}

/** The same for two texts that are drawn as one, and change together. */
export function useHighlights(
  one: string,
  other: string,
  language: string | null,
): readonly [LineSpans[], LineSpans[]] {
  return useKnownHighlights(one, other, language) ?? NEITHER;
}

/** The same; `null` until the worker answers. */
export function useKnownHighlights(
  one: string,
  other: string,
  language: string | null,
): readonly [LineSpans[], LineSpans[]] | null {
  const [result, setResult] = useState({ one: "", other: "", lines: NEITHER });
  const isPlain = !language || one.length + other.length === 0;
  useEffect(() => {
    if (isPlain) return;
    let current = true;
    const both = [one, other].map((code) =>
      code === "" ? Promise.resolve(NONE) : highlightCode(code, language),
    );
    void Promise.all(both).then(([lines = NONE, others = NONE]) => {
      if (current) setResult({ one, other, lines: [lines, others] });
    });
    return () => {
      current = false;
    };
  }, [one, other, language, isPlain]);
  if (isPlain) return NEITHER;
  return result.one === one && result.other === other ? result.lines : null;
}
