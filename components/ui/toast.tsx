"use client";

import { useSyncExternalStore } from "react";

type Toast = { id: number; text: string; tone: "plain" | "err" };

const SHOWN_MS = 3_000;
let shown: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const NONE: readonly Toast[] = [];

function change(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message at the foot of the page for three seconds and announces it. At most three show at once. */
export function toast(text: string, tone: Toast["tone"] = "plain"): void {
  const id = nextId++;
  change([...shown.slice(-2), { id, text, tone }]);
  setTimeout(() => change(shown.filter((one) => one.id !== id)), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear. Mounted once per page, outside `<main>`. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => NONE,
  );
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-9 z-50 flex flex-col items-center gap-1 max-sm:bottom-16"
    >
      {toasts.map(({ id, text, tone }) => (
        <div
          key={id}
          className={`max-w-[90vw] truncate rounded-2 border bg-raised px-3 py-1 text-12 shadow-overlay ${tone === "err" ? "border-err text-err" : "border-line-2 text-fg"}`}
        >
          {text}
        </div>
      ))}
    </div>
  );
}
