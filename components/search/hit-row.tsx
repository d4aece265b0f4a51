import { LaneShape } from "@/components/ui/lane-shape";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";
import { cx } from "@/lib/client/class-names";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { Snippet } from "./snippet";

const WORDS: Record<SearchField, string> = {
  title: "title",
  prompt: "prompt",
  text: "answer",
  thinking: "thinking",
  input: "tool input",
  output: "tool output",
  attachment: "attachment",
  meta: "record",
  raw: "unreadable",
};

const CODE: ReadonlySet<SearchField> = new Set(["input", "output", "meta", "raw"]);

/** One hit: where it stands, the text around it, when. The whole line is the link. */
export function HitRow({
  hit,
  href,
  current,
  tabStop,
  narrow,
  session,
}: {
  hit: SearchHit;
  href: string;
  current: boolean;
  tabStop: boolean;
  narrow: boolean;
  /** The session's title, where hits of several stand side by side. */
  session?: string;
}) {
  return (
    <PageLink
      href={href}
      tabIndex={tabStop ? 0 : -1}
      data-current={current}
      className={cx(
        "grid h-full grid-cols-[calc(124px*var(--u))_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line pr-3 pl-9 text-12 whitespace-nowrap -outline-offset-2!",
        "max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:content-center max-sm:gap-y-0.5 max-sm:pl-3",
        current ? "sel-bar bg-sel" : "hover:bg-raised",
      )}
    >
      <span className="flex min-w-0 items-center gap-1.5 text-fg-2">
        {hit.agentId !== null && (
          <>
            <LaneShape lane={2} />
            <span className="sr-only">in an agent: </span>
          </>
        )}
        <span className="truncate">{session ?? hit.tool ?? WORDS[hit.field]}</span>
      </span>
      <span
        className={cx(
          "truncate max-sm:col-span-2 max-sm:row-start-2",
          CODE.has(hit.field) ? "font-mono text-code" : "text-13",
        )}
      >
        <Snippet hit={hit} lead={narrow ? 16 : undefined} />
      </span>
      <span className="min-w-[calc(64px*var(--u))] text-right text-fg-2 tabular-nums max-sm:row-start-1 max-sm:col-start-2">
        {hit.atMs === null ? null : <Time atMs={hit.atMs} />}
      </span>
    </PageLink>
  );
}
