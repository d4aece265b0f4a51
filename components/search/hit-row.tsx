import { clsx } from "clsx";
import { Ban, ChevronDown, ChevronRight, Clock, GitBranch, type LucideIcon, X } from "lucide-react";
import { memo } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Icon } from "@/components/ui/icon";
import { useFocusedLink } from "@/components/ui/main-focus";
import { LaneShape } from "@/components/ui/marks";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";
import { formatCount, formatPlural } from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import type { SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary } from "@/lib/wire/library";
import type { CallStateName } from "@/lib/wire/rows";
import type { HitPlace, SearchField, SearchHit } from "@/lib/wire/search";
import type { HitItem } from "./search-groups";

/** A newer server than this page may have other fields. */
const WORDS: Record<SearchField, string> = {
  title: "title",
  prompt: "prompt",
  command: "command",
  text: "answer",
  thinking: "thinking",
  input: "tool input",
  output: "tool output",
  returned: "returned",
  attachment: "attachment",
  meta: "metadata",
  raw: "unreadable",
};

const CODE: ReadonlySet<SearchField> = new Set(["input", "output", "meta", "raw"]);

/** The source of a hit's text: a tool's input or output by the tool, otherwise the kind of text. */
export function formatHitSource({ field, tool }: SearchHit, place: HitPlace | undefined): string {
  const name = tool ?? place?.tool ?? null;
  if (name === null) return WORDS[field] ?? field;
  return field === "output" ? `${shortToolName(name)} out` : shortToolName(name);
}

/** What is said of a hit that is not on the session's active branch. */
function formatLeftBranch(number: number): string {
  return `on branch ${number}, which is not the active one`;
}

const STATES: Partial<Record<CallStateName, { icon: LucideIcon; word: string; className: string }>> = {
  error: { icon: X, word: "failed", className: "text-err" },
  "timed-out": { icon: Clock, word: "timed out", className: "text-err" },
  denied: { icon: Ban, word: "denied", className: "text-warn" },
};

/** The mark of a call that did not end well, before its tool's name; success has none. */
export function hitState(place: HitPlace | undefined) {
  return (place?.state && STATES[place.state]) ?? null;
}

/** One hit: its position, the text around it, its time. The whole line is the link. */
export const HitRow = memo(function HitRow({
  hit,
  place,
  href,
  current,
  tabStop,
  focused,
  narrow,
  session,
}: {
  hit: SearchHit;
  /** Its position, once that is known. */
  place: HitPlace | undefined;
  href: string;
  current: boolean;
  tabStop: boolean;
  /** The keys have moved here: it takes the focus. */
  focused: boolean;
  narrow: boolean;
  /** The session's title, if hits of several sessions are listed together. */
  session?: string;
}) {
  const state = hitState(place);
  const link = useFocusedLink(focused);
  return (
    <PageLink
      ref={link}
      href={href}
      tabIndex={tabStop ? 0 : -1}
      data-current={current}
      className={clsx(
        "grid h-full grid-cols-[calc(24px*var(--u))_calc(132px*var(--u))_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line pr-3 pl-3 text-12 whitespace-nowrap -outline-offset-2!",
        "max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:content-center max-sm:gap-y-0.5 max-sm:pl-3",
        current ? "sel-bar bg-sel" : "hover:bg-raised",
      )}
    >
      <span className="text-right text-fg-3 tabular-nums">
        {/* Turn 0 precedes the first prompt. */}
        {place?.turn ? (
          <>
            <span className="sr-only">turn </span>
            {place.turn}
          </>
        ) : null}
      </span>
      <span className={clsx("flex min-w-0 items-center gap-1.5", state?.className ?? "text-fg-2")}>
        {state && (
          <>
            <Icon of={state.icon} small className="flex-none" />
            <span className="sr-only">{state.word}: </span>
          </>
        )}
        {place?.branch != null && (
          <span
            className="flex flex-none items-center gap-0.5 text-fg-3"
            title={formatLeftBranch(place.branch)}
          >
            <Icon of={GitBranch} small />
            <span aria-hidden="true">{place.branch}</span>
            <span className="sr-only">{formatLeftBranch(place.branch)}: </span>
          </span>
        )}
        {hit.agentId !== null && (
          <>
            <LaneShape lane={2} />
            <span className="sr-only">in an agent: </span>
          </>
        )}
        <span className="truncate">
          <VisibleText text={session ?? formatHitSource(hit, place)} />
        </span>
      </span>
      <span
        className={clsx(
          "truncate max-sm:col-span-3 max-sm:row-start-2",
          CODE.has(hit.field) ? "font-mono text-code" : "text-13",
        )}
      >
        <Snippet hit={hit} lead={narrow ? 16 : undefined} />
      </span>
      <span className="min-w-[calc(64px*var(--u))] text-right text-fg-2 tabular-nums max-sm:row-start-1 max-sm:col-start-3">
        {hit.atMs === null ? null : <Time atMs={hit.atMs} />}
      </span>
    </PageLink>
  );
});

/** The head of a session's hits; folds them. If its title is itself a hit it is marked and links to it. */
export const HitGroupRow = memo(function HitGroupRow({
  item,
  session,
  project,
  href,
  current,
  tabStop,
  focused,
  onFold,
}: {
  item: Extract<HitItem, { kind: "session" }>;
  session: SessionSummary | undefined;
  project: Project | undefined;
  /** The link of a title that is a hit itself. */
  href: string | null;
  current: boolean;
  tabStop: boolean;
  /** As for a hit. */
  focused: boolean;
  onFold: (sessionId: SessionId) => void;
}) {
  const listed = item.hit ? item.count - 1 : item.count;
  const link = useFocusedLink(focused);
  const head = <GroupHead item={item} session={session} project={project} />;
  const chevron = <Icon of={item.folded ? ChevronRight : ChevronDown} small className="text-fg-3" />;
  if (item.hit === null || href === null) {
    return (
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={!item.folded}
        onClick={() => onFold(item.sessionId)}
        className="flex h-full w-full items-center gap-2 border-b border-line bg-panel px-3 text-left whitespace-nowrap -outline-offset-2! hover:bg-raised"
      >
        {chevron}
        {head}
      </button>
    );
  }
  return (
    <div
      data-current={current}
      className={clsx(
        "flex h-full items-center border-b border-line whitespace-nowrap",
        current ? "sel-bar bg-sel" : "bg-panel hover:bg-raised",
      )}
    >
      {listed > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={!item.folded}
          aria-label={`${formatPlural(listed, "more result")} in this session`}
          onClick={() => onFold(item.sessionId)}
          className="flex h-full items-center pr-2 pl-3 -outline-offset-2!"
        >
          {chevron}
        </button>
      ) : (
        <span className="w-[calc(20px+0.75rem)] flex-none" />
      )}
      <PageLink
        ref={link}
        href={href}
        tabIndex={tabStop ? 0 : -1}
        className="flex h-full min-w-0 flex-1 items-center gap-2 pr-3 -outline-offset-2!"
      >
        {head}
      </PageLink>
    </div>
  );
});

/** A session's title, project and branch, how many hits it has, and when the newest is from. */
function GroupHead({
  item,
  session,
  project,
}: {
  item: Extract<HitItem, { kind: "session" }>;
  session: SessionSummary | undefined;
  project: Project | undefined;
}) {
  return (
    <>
      <span role="heading" aria-level={2} className="truncate font-semibold">
        {item.hit ? (
          <Snippet hit={item.hit} lead={item.hit.snippet.length} />
        ) : (
          <VisibleText text={session?.title ?? item.sessionId.slice(0, 8)} />
        )}
      </span>
      {project && (
        <span className="text-12 text-fg-2 max-sm:hidden" title={labelHidden(project.path)}>
          <VisibleText text={folderName(project.path)} />
        </span>
      )}
      {session?.gitBranch && (
        <span className="truncate font-mono text-12 text-fg-3 max-md:hidden">
          <VisibleText text={session.gitBranch} />
        </span>
      )}
      <span className="flex-1" />
      <span className="text-11 text-fg-3 tabular-nums" title={formatPlural(item.count, "result")}>
        {formatCount(item.count)}
      </span>
      <span className="min-w-[calc(64px*var(--u))] text-right text-12 text-fg-2 tabular-nums max-sm:hidden">
        {item.newestMs === null ? null : <Time atMs={item.newestMs} />}
      </span>
    </>
  );
}

/** Text around a match, with the match marked. `lead`: characters kept before it if the line is short. */
export function Snippet({ hit, lead = 48 }: { hit: Pick<SearchHit, "snippet" | "ranges">; lead?: number }) {
  return snippetParts(hit, lead).map(({ text, found }, index) =>
    found ? (
      <mark key={index}>
        <VisibleText text={text} />
      </mark>
    ) : (
      <VisibleText key={index} text={text} />
    ),
  );
}

type SnippetPart = { text: string; found: boolean };

/**
 * A hit's text split into matches and the text between them. If more than one and a half times `lead` characters
 * precede the first match, the beginning is cut: the match must be visible in its line. Ranges that overlap or do not
 * fit the text are left out.
 */
export function snippetParts(
  { snippet, ranges }: Pick<SearchHit, "snippet" | "ranges">,
  lead: number,
): SnippetPart[] {
  const first = ranges[0]?.[0] ?? 0;
  const begin = first > lead * 1.5 ? wordStart(snippet, first - lead, first) : 0;
  const parts: SnippetPart[] = begin > 0 ? [{ text: "…", found: false }] : [];
  let at = begin;
  for (const [from, to] of ranges) {
    if (from < at || to > snippet.length || to <= from) continue;
    if (from > at) parts.push({ text: snippet.slice(at, from), found: false });
    parts.push({ text: snippet.slice(from, to), found: true });
    at = to;
  }
  if (at < snippet.length) parts.push({ text: snippet.slice(at), found: false });
  return parts;
}

/** A partial word at the start is left out if it is no longer than this. */
const MAX_STUB = 24;

/** Where the first word behind a place begins, before `to`; the place itself where none does soon. */
function wordStart(text: string, from: number, to: number): number {
  const stub = text.slice(from - 1, Math.min(from + MAX_STUB, to - 1)).search(/\s/);
  const code = text.charCodeAt(from);
  // No character is cut in two.
  return stub === -1 ? from + (code >= 0xdc00 && code <= 0xdfff ? 1 : 0) : from + stub;
}
