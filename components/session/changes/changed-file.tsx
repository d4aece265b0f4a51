import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { formatPlural } from "@/lib/format/format-count";
import { FileCall } from "./file-call";
import type { FileChanges } from "./files-of-turn";

/** A file of the review: its head, and each call's change of it, read when it comes near the screen. */
export function ChangedFile({
  index,
  file,
  root,
}: {
  index: number;
  file: FileChanges;
  root: string | null;
}) {
  const [open, setOpen] = useState(true);
  const [near, setNear] = useState(false);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "600px",
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near]);
  const path = shortenPath(file.path, root);
  return (
    <article ref={element} data-file={index} aria-label={path} className="scroll-mt-2 pb-2">
      <h3 className="sticky top-0 z-1 bg-bg">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-row w-full items-center gap-2 px-3 text-left hover:bg-raised"
        >
          <span className="flex text-fg-3">
            <Icon of={open ? ChevronDown : ChevronRight} small />
          </span>
          <span className="min-w-0 truncate font-mono text-code font-semibold" title={file.path}>
            <VisibleText text={path} />
          </span>
          <span className="text-12 font-normal text-fg-2">
            {file.changes.length > 1 && formatPlural(file.changes.length, "change")}
          </span>
          <span className="text-12 font-normal">
            <ChangedLines added={file.added} removed={file.removed} />
          </span>
        </button>
      </h3>
      {open &&
        near &&
        file.changes.map((change) => <FileCall key={`${change.recordId}.${change.block}`} {...change} />)}
      {open && !near && <div className="h-40" />}
    </article>
  );
}
