"use client";

import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "@/lib/client/connection/api-error";
import { onLost } from "@/lib/client/connection/when-there";
import { Listeners } from "@/lib/client/listeners";
import { bottomBarRects, onBottomBars, roomAbove } from "./frame/bottom-bars";

type Toast = { id: number; text: string; tone: "plain" | "err"; undo: (() => void) | undefined };

const SHOWN_MS = 3_000;
/** What has an Undo, or says why something failed: more is to be read, or done, before it goes. */
const LONGER_SHOWN_MS = 8_000;
let shown: readonly Toast[] = [];
let nextId = 1;
const listeners = new Listeners();
const NONE: readonly Toast[] = [];

function change(next: readonly Toast[]): void {
  shown = next;
  listeners.tell();
}

/**
 * Shows a message at the foot of the page for three seconds, with an Undo or in the tone of a failure for eight, and
 * announces it. At most three show at once. The time that the tab is hidden does not count.
 */
export function toast(text: string, tone: Toast["tone"] = "plain", undo?: () => void): void {
  change([...shown.slice(-2), { id: nextId++, text, tone, undo }]);
}

/**
 * Shows why something failed, as a message: what happened, where, and what to do, as the server says it; else the error's
 * words, or these where it was none.
 */
export function toastFailure(error: unknown, otherwise: string): void {
  if (error instanceof ApiError) toast(error.words, "err");
  else toast(error instanceof Error ? error.message : otherwise, "err");
}

/**
 * Calls `then` once the tab has been visible for so long, all in all.
 * @returns ends it
 */
function whenSeenFor(ms: number, then: () => void): () => void {
  let leftMs = ms;
  let sinceMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => {
    if (timer !== undefined) leftMs -= performance.now() - sinceMs;
    clearTimeout(timer);
    timer = undefined;
  };
  const onChange = () => {
    pause();
    if (document.visibilityState === "hidden") return;
    sinceMs = performance.now();
    timer = setTimeout(then, leftMs);
  };
  document.addEventListener("visibilitychange", onChange);
  onChange();
  return () => {
    pause();
    document.removeEventListener("visibilitychange", onChange);
  };
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
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (toasts.length > 0 ? keepAboveBars(place.current) : undefined), [toasts]);
  return (
    <div
      ref={place}
      data-screen-only
      role="status"
      // The role implies it, but a modal dialog hides all that is not marked so from assistive technology.
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-9 z-50 flex flex-col items-center gap-1 max-sm:bottom-16"
    >
      {toasts.map((one) => (
        <ShownToast key={one.id} {...one} />
      ))}
    </div>
  );
}

function ShownToast({ id, text, tone, undo }: Toast) {
  const forMs = undo || tone === "err" ? LONGER_SHOWN_MS : SHOWN_MS;
  useEffect(() => whenSeenFor(forMs, () => dismiss(id)), [id, forMs]);
  return (
    <div
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
  );
}

/**
 * Moves the toasts up for as long as they would lie on a bar at the foot of what is shown.
 * @returns ends it
 */
function keepAboveBars(place: HTMLDivElement | null): (() => void) | undefined {
  if (!place) return undefined;
  const put = () => {
    place.style.translate = "";
    const rects = [...place.children].map((toast) => toast.getBoundingClientRect());
    const box = {
      left: Math.min(...rects.map(({ left }) => left)),
      right: Math.max(...rects.map(({ right }) => right)),
      top: Math.min(...rects.map(({ top }) => top)),
      bottom: Math.max(...rects.map(({ bottom }) => bottom)),
    };
    place.style.translate = `0 ${-roomAbove(box, bottomBarRects())}px`;
  };
  put();
  let frame = 0;
  const putLater = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(put);
  };
  const end = onBottomBars(putLater);
  window.addEventListener("resize", putLater);
  return () => {
    cancelAnimationFrame(frame);
    end();
    window.removeEventListener("resize", putLater);
  };
}
