import { useState } from "react";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { safeHref } from "@/lib/markup/safe-href";
import { VisibleText } from "./visible-text";

/**
 * A link from a log, inert until clicked: the first click shows its target, the second follows it. Anything but http,
 * https and mailto stays text.
 */
export function OutsideLink({ target, label }: { target: string; label?: string }) {
  const [armed, setArmed] = useState(false);
  const safe = safeHref(target);
  const text = <VisibleText text={label ?? target} />;
  if (!safe) return <span title={labelHidden(target)}>{text}</span>;
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
      // It takes the place of the button that had the focus.
      ref={takeFocus}
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

function takeFocus(link: HTMLAnchorElement | null): void {
  link?.focus({ preventScroll: true });
}
