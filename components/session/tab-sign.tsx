import { useEffect } from "react";
import { withBasePath } from "@/lib/client/address/base-path";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionState } from "@/lib/wire/library";

const ICONS = {
  running: "/favicon-running.svg",
  waiting: "/favicon-waiting.svg",
  rest: "/favicon.svg",
} as const;

/**
 * The page's title in the tab, and how its session stands, or those of the board: a sign before the title, and the icon.
 * The title is an element of the page, not one of its metadata: those take their place when the rest is drawn already,
 * and would take this one's.
 */
export function TabSign({ title, state }: { title: string | null; state: SessionState | null }) {
  useEffect(() => {
    const icon = withBasePath(state === "waiting" || state === "running" ? ICONS[state] : ICONS.rest);
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link && !link.href.endsWith(icon)) link.href = icon;
    return () => {
      if (link) link.href = withBasePath(ICONS.rest);
    };
  }, [state]);
  const sign = state === "waiting" ? "? " : state === "running" ? "▸ " : "";
  return <title>{title === null ? "Backscroll" : `${sign}${labelHidden(title)} · Backscroll`}</title>;
}
