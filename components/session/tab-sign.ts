import { useEffect } from "react";
import { withBasePath } from "@/lib/client/base-path";
import type { SessionState } from "@/lib/wire/library";

const ICONS = {
  running: "/favicon-running.svg",
  waiting: "/favicon-waiting.svg",
  rest: "/favicon.svg",
} as const;

/** Puts how the page's session stands into the tab: a sign before the title, and the icon. */
export function useTabSign(title: string | null, state: SessionState | null): void {
  useEffect(() => {
    if (title === null) return;
    const sign = state === "waiting" ? "? " : state === "running" ? "▸ " : "";
    document.title = `${sign}${title} · Backscroll`;
  }, [title, state]);
  useEffect(() => {
    const icon = withBasePath(state === "waiting" || state === "running" ? ICONS[state] : ICONS.rest);
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link && !link.href.endsWith(icon)) link.href = icon;
    return () => {
      if (link) link.href = withBasePath(ICONS.rest);
    };
  }, [state]);
}
