import type { ReactNode } from "react";
import { safeHref } from "@/components/content/text/safe-href";

/** A link that opens only http, https and mailto; any other target is shown, not followed. */
export function MarkdownLink({ target, children }: { target: string; children: ReactNode }) {
  const safe = safeHref(target);
  if (!safe) {
    return (
      <span className="underline decoration-fg-3 decoration-dotted underline-offset-3" title={target}>
        {children}
      </span>
    );
  }
  return (
    <a
      className="text-accent hover:underline"
      href={safe.href}
      title={safe.host}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}
