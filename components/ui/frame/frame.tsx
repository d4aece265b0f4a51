"use client";

import { Keyboard, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { IconButton } from "../button";
import { Kbd, printKey } from "../keys";
import { focusMain } from "../main-focus";
import { OutdatedBar } from "./outdated-bar";

/**
 * A page's frame: top bar, below it what is to be said of the whole page (`notice`), body, foot. The body is a grid; the
 * page sets its columns with `bodyClass`. What covers a narrow page is placed in the body and reaches over the foot: the
 * notice stays in sight.
 */
export function Frame({
  top,
  notice,
  foot,
  bodyClass,
  children,
}: {
  top: ReactNode;
  notice?: ReactNode;
  foot: ReactNode;
  bodyClass: string;
  children: ReactNode;
}) {
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <header
          data-page-bar=""
          className="flex h-[var(--bar)] min-w-0 items-center gap-3 max-md:gap-2 border-b border-line-2 bg-panel px-3 whitespace-nowrap"
        >
          <SkipLink />
          {top}
        </header>
        <OutdatedBar />
        {notice}
      </div>
      <div className={`grid min-h-0 min-w-0 *:min-h-0 *:min-w-0 ${bodyClass}`}>{children}</div>
      {foot}
    </div>
  );
}

/** Keys, by `KeyboardEvent.key` or as printed, and what they do. */
export type FootKeys = readonly (readonly [keys: readonly string[], does: string])[];

/** The status line at the foot of a wide page: state on the left, keys in the middle, freshness and buttons on the right. */
export function Foot({ left, keys, right }: { left: ReactNode; keys?: FootKeys; right?: ReactNode }) {
  return (
    <footer className="flex h-foot items-center gap-4 overflow-hidden border-t border-line-2 bg-panel px-3 text-11 whitespace-nowrap text-fg-2 tabular-nums max-sm:hidden">
      <span className="flex min-w-0 flex-auto items-center gap-4 overflow-hidden *:truncate md:min-w-max md:flex-1">
        {left}
      </span>
      {/* The state is cut last: keys that have no room wrap out of a box of one line, and all are in the list of keys. */}
      {keys ? (
        <span className="flex h-5 min-w-0 flex-wrap gap-x-4 overflow-hidden max-md:hidden">
          {keys.map(([names, does]) => (
            <span key={does} className="flex h-5 items-center gap-1">
              {names.map((name) => (
                <Kbd key={name}>{printKey(name)}</Kbd>
              ))}
              {does}
            </span>
          ))}
        </span>
      ) : null}
      {/* Its buttons have the room that they need, whatever the rest says. */}
      <span className="flex flex-[1_0_auto] items-center justify-end gap-4">
        {right}
        <PageButtons />
      </span>
    </footer>
  );
}

/** The navigation bar at the foot of a narrow page: up to six items. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      aria-label={label}
      className="hidden h-foot border-t border-line-2 bg-panel *:grid *:flex-1 *:content-center *:justify-items-center *:gap-0.5 *:text-11 *:text-fg-2 max-sm:flex *:aria-[current=page]:text-accent"
    >
      {children}
    </nav>
  );
}

/** Buttons for settings and the list of keys, for readers who don't use the shortcuts. */
function PageButtons() {
  return (
    <span className="flex items-center">
      <IconButton
        icon={Keyboard}
        small
        className="h-5"
        label="All keys"
        keys="?"
        onClick={() => openPageDialog("keys")}
      />
      <IconButton
        icon={Settings}
        small
        className="h-5"
        label="Settings"
        keys=","
        onClick={() => openPageDialog("settings")}
      />
    </span>
  );
}

/** The first stop of Tab on every page: past its bars and columns, to what the page is about. */
function SkipLink() {
  // A button: a link would need a fragment, which holds the token until the page has read it.
  return (
    <button
      type="button"
      onClick={focusMain}
      className="fixed top-1.5 left-2 z-50 flex h-7 -translate-y-20 items-center rounded-2 border border-line-3 bg-raised px-3 text-12 text-fg shadow-overlay focus:translate-y-0 print:hidden"
    >
      Skip to content
    </button>
  );
}
