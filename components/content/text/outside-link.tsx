import { useState } from "react";
import { VisibleText } from "./visible-text";

/**
 * A link from a log, inert until clicked: the first click shows its target, the second follows it. Anything but http,
 * https and mailto stays text.
 */
export function OutsideLink({ target, label }: { target: string; label?: string }) {
  const [armed, setArmed] = useState(false);
  const safe = safeHref(target);
  const text = <VisibleText text={label ?? target} />;
  if (!safe) return <span title={target}>{text}</span>;
  if (!armed) {
    return (
      <button
        type="button"
        data-log=""
        title={`Click twice to open ${safe.host}`}
        onClick={() => setArmed(true)}
        className="max-w-full truncate text-left underline decoration-fg-3 decoration-dotted underline-offset-3 hover:decoration-fg"
      >
        {text}
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
      {text}{" "}
      <span data-log="none" className="font-sans text-11">
        open {safe.host} ↗
      </span>
    </a>
  );
}

/** A link that the page may offer, with its host for the tooltip. */
export type SafeHref = { href: string; host: string };

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Accepts absolute http, https and mailto links, as the browser parses them; `null` for anything else. */
export function safeHref(target: string): SafeHref | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  if (!SCHEMES.has(url.protocol)) return null;
  return { href: url.href, host: url.protocol === "mailto:" ? url.pathname : url.host };
}
