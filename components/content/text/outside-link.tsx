import { useState } from "react";
import { VisibleText } from "./visible-text";

/**
 * A link out of a log, which does nothing until it is clicked: the first click says where it leads, the second
 * goes there. Anything but http, https and mailto stays text.
 */
export function OutsideLink({ target, label }: { target: string; label?: string }) {
  const [armed, setArmed] = useState(false);
  const safe = safeHref(target);
  const words = <VisibleText text={label ?? target} />;
  if (!safe) return <span title={target}>{words}</span>;
  if (!armed) {
    return (
      <button
        type="button"
        title={`${safe.host}: click twice to leave this page`}
        onClick={() => setArmed(true)}
        className="max-w-full truncate text-left underline decoration-fg-3 decoration-dotted underline-offset-3 hover:decoration-fg"
      >
        {words}
      </button>
    );
  }
  return (
    <a
      href={safe.href}
      target="_blank"
      rel="noopener noreferrer"
      className="max-w-full truncate text-accent underline underline-offset-3"
      onBlur={() => setArmed(false)}
    >
      {words} <span className="font-sans text-11">open {safe.host} ↗</span>
    </a>
  );
}

/** A link that a page may offer, with the host to show on hover. */
export type SafeHref = { href: string; host: string };

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Passes absolute http, https and mailto links, as the browser reads them; `null` for all else. */
export function safeHref(target: string): SafeHref | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  if (!SCHEMES.has(url.protocol)) return null;
  return { href: url.href, host: url.protocol === "mailto:" ? url.pathname : url.host };
}
