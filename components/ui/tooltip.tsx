"use client";

import { Tooltip as Radix } from "radix-ui";
import type { FocusEvent, ReactNode } from "react";
import { Kbd } from "./keys";

/** Wraps the page once, so that moving to another tooltip shows it without delay. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={500}>{children}</Radix.Provider>;
}

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

/** What gets the focus back from a menu or a dialog after a tap or a click is not asked about: its label covers others. */
function unlessByKey(event: FocusEvent<HTMLElement>): void {
  if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
}
