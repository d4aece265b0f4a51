"use client";

import { Tooltip as Radix } from "radix-ui";
import { type FocusEvent, type ReactNode, useEffect } from "react";
import { Kbd } from "./keys";

/** Whether the reader came last by pointer to where they are, and not by a key that moves the focus. */
let isByPointer = false;

/**
 * Wraps the page once, so that moving to another tooltip shows it without delay, and to know whether the focus is moved
 * by keys.
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  useEffect(() => {
    const point = () => {
      isByPointer = true;
    };
    const press = ({ key, target }: KeyboardEvent) => {
      const isInField = target instanceof Element && target.closest("input, textarea, select") !== null;
      if (key === "Tab" || (MOVES.has(key) && !isInField)) isByPointer = false;
    };
    window.addEventListener("pointerdown", point, { capture: true, passive: true });
    window.addEventListener("keydown", press, { capture: true });
    return () => {
      window.removeEventListener("pointerdown", point, { capture: true });
      window.removeEventListener("keydown", press, { capture: true });
    };
  }, []);
  return <Radix.Provider delayDuration={500}>{children}</Radix.Provider>;
}

/** Keys that move the focus in a toolbar, a menu or a list. */
const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** A short label shown on hover and focus. The child is the control and keeps its own accessible name. */
export function Tooltip({ text, keys, children }: { text: ReactNode; keys?: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={unlessByKey}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-2 border border-line-2 bg-raised px-2 py-1 text-12 text-fg shadow-overlay"
        >
          {text}
          {keys ? <Kbd>{keys}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * What gets the focus back from a menu or a dialog after a tap or a click is not asked about: its label covers others.
 * The browser takes such a focus for one by key where Escape closed the dialog, or a field of it had the focus before.
 */
function unlessByKey(event: FocusEvent<HTMLElement>): void {
  if (isByPointer || !event.currentTarget.matches(":focus-visible")) event.preventDefault();
}
