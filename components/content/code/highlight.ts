import { useEffect, useState } from "react";
import {
  HIGHLIGHT_LIMITS,
  type HighlightReply,
  type HighlightRequest,
  type LineSpans,
} from "./highlight-job";

type Job = HighlightRequest & { key: string; resolve: (lines: LineSpans[]) => void };

const MAX_CACHED_BLOCKS = 200;

const cache = new Map<string, Promise<LineSpans[]>>();
let queue: Job[] = [];
let running: Job | null = null;
let worker: Worker | null = null;
let killTimer: ReturnType<typeof setTimeout> | undefined;
let nextId = 1;

/** Highlights a block in a worker. Resolves to spans for each line, or none without a grammar or after a timeout. */
function highlightCode(code: string, language: string): Promise<LineSpans[]> {
  const key = `${language}\u0000${hash(code)}\u0000${code.length}`;
  const known = cache.get(key);
  if (known) return known;
  const lines = new Promise<LineSpans[]>((resolve) => {
    queue.push({ id: nextId++, key, code, language, resolve });
  });
  cache.set(key, lines);
  const oldest = cache.size > MAX_CACHED_BLOCKS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
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

/** Has workers made otherwise from now on: an exported file has no address to load one from. */
export function makeWorkersWith(make: typeof makeWorker): void {
  makeWorker = make;
}

function startWorker(): Worker {
  const started = makeWorker();
  started.onmessage = ({ data }: MessageEvent<HighlightReply>) => {
    if (data.id !== running?.id) return;
    if (data.kind === "started") killTimer = setTimeout(restart, HIGHLIGHT_LIMITS.killMs);
    else finish(data.lines);
  };
  // A chunk failed to load or a grammar threw: the block stays plain.
  started.onerror = restart;
  return started;
}

function restart(): void {
  worker?.terminate();
  worker = null;
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

/** Spans for each line; empty until the worker answers, and for languages without a grammar. */
export function useHighlight(code: string, language: string | null): LineSpans[] {
  const [result, setResult] = useState<{ code: string; lines: LineSpans[] }>({ code: "", lines: NONE });
  useEffect(() => {
    if (!language || code.length === 0) return;
    let current = true;
    void highlightCode(code, language).then((lines) => {
      if (current) setResult({ code, lines });
    });
    return () => {
      current = false;
    };
  }, [code, language]);
  return result.code === code ? result.lines : NONE;
}
