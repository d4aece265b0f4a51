"use client";

import { useEffect, useSyncExternalStore } from "react";
import { onLost } from "@/lib/client/connection/when-there";
import { Listeners } from "@/lib/client/listeners";

type Toast = { id: number; text: string; tone: "plain" | "err"; undo: (() => void) | undefined };

const SHOWN_MS = 3_000;
const UNDO_SHOWN_MS = 8_000;
let shown: readonly Toast[] = [];
let nextId = 1;
const listeners = new Listeners();
const NONE: readonly Toast[] = [];

function change(next: readonly Toast[]): void {
  shown = next;
  listeners.tell();
}

/**
 * Shows a message at the foot of the page for three seconds, with an Undo for eight, and announces it. At most three show
 * at once.
 */
export function toast(text: string, tone: Toast["tone"] = "plain", undo?: () => void): void {
  const id = nextId++;
  change([...shown.slice(-2), { id, text, tone, undo }]);
  setTimeout(() => dismiss(id), undo ? UNDO_SHOWN_MS : SHOWN_MS);
}

function dismiss(id: number): void {
  change(shown.filter((one) => one.id !== id));
}

/** Where toasts appear. Mounted once per page, outside `<main>`. */
export function Toaster() {
  useEffect(() => onLost((text) => toast(text, "err")), []);
  const toasts = useSyncExternalStore(
    listeners.add,
    () => shown,
    () => NONE,
  );
  return (
    <div
      role="status"
      // The role implies it, but a modal dialog hides all that is not marked so from assistive technology.
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-9 z-50 flex flex-col items-center gap-1 max-sm:bottom-16"
    >
      {toasts.map(({ id, text, tone, undo }) => (
        <div
          key={id}
          className={`flex max-w-[90vw] gap-3 rounded-2 border bg-raised px-3 py-1 text-12 shadow-overlay ${tone === "err" ? "border-err text-err" : "border-line-2 text-fg"}`}
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
          {undo && (
            <button
              type="button"
              className="pointer-events-auto flex-none text-accent hover:underline"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
