"use client";

import { Command } from "cmdk";
import {
  CornerDownLeft,
  EyeOff,
  FileDiff,
  Folder,
  RotateCw,
  Search as SearchIcon,
  Star,
  TextAlignStart,
} from "lucide-react";
import { usePathname } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useSearchCompletion } from "@/components/search/completion";
import { CompletionStrip, QueryPaint } from "@/components/search/query-field";
import { hitKey } from "@/components/search/search-groups";
import { formatUnsearched } from "@/components/search/search-status";
import { namingSession } from "@/components/search/search-tokens";
import { useHitPlaces } from "@/components/search/use-hit-places";
import type { PageSearch } from "@/components/search/use-search";
import { useSearchVocabulary } from "@/components/search/use-search-vocabulary";
import { returnFocus } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { Kbd, printKey } from "@/components/ui/keys";
import { ProblemLines } from "@/components/ui/problem-lines";
import { Time } from "@/components/ui/time";
import { closeDialogAnd } from "@/lib/client/address/page-dialogs";
import { sessionOfPath } from "@/lib/client/address/session-url";
import { useIsGuest } from "@/lib/client/connection/token";
import { keepWhileComposing } from "@/lib/client/key-events";
import { holdKeys } from "@/lib/client/key-registry";
import { formatCount, formatDuration } from "@/lib/format/format";
import { shortenHome } from "@/lib/format/text";
import { FILTER_NAMES, filterEntry } from "@/lib/query/filters";
import { parseQuery } from "@/lib/query/parse-query";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import { usePaletteChoice } from "./palette-choice";
import { fileAsked } from "./palette-entries";
import { hitValue, PaletteEntry, PaletteGroup, PaletteHit } from "./palette-hit";
import { usePalette } from "./use-palette";

/** Sessions, projects, commands and hits in one list, under one field. */
function Palette({ close }: { close: () => void }) {
  const isGuest = useIsGuest();
  const here = sessionOfPath(usePathname());
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const found = usePalette(query, here);
  const { search } = found;
  const known = useSearchVocabulary([...found.byId.values()]);
  const vocabulary = here === null ? known : { ...known, in: filterEntry("in").placed };
  const completion = useSearchCompletion(query, setQuery, field, vocabulary);
  // A term that is still being completed is not wrong yet.
  const { errors: all } = parseQuery(query);
  const [offer] = completion.offers;
  const errors = offer ? all.filter(({ to }) => to <= offer.from) : all;

  const asked = {
    failed: search.phase === "failed",
    asksAll: query.trim() !== "" && !isGuest,
    everywhere: here === null ? query.trim() : namingSession(query.trim(), here),
    file: isGuest ? null : fileAsked(query),
  };
  const { current, choose, go, onKeyDown } = usePaletteChoice(query, found, asked, close);
  return (
    <Command
      shouldFilter={false}
      loop
      label="Go to or search"
      value={current}
      onValueChange={choose}
      onKeyDown={onKeyDown}
      className="flex min-h-0 flex-col"
    >
      <div className="flex h-11 flex-none items-center gap-2.5 border-b border-line px-3">
        <Icon of={SearchIcon} className="text-fg-2" />
        <QueryPaint query={query} problems={errors} className="text-15">
          <Command.Input
            ref={field}
            autoFocus
            value={query}
            onValueChange={setQuery}
            onSelect={completion.onSelect}
            onKeyDown={completion.onKeyDown}
            placeholder={isGuest ? "Search this session and commands" : "Sessions, projects, commands, words"}
            className="relative h-full w-full min-w-0 bg-transparent text-15 outline-none focus-visible:outline-none"
          />
        </QueryPaint>
        <PaletteCount query={query} search={search} />
      </div>
      <CompletionStrip offers={completion.offers} onAccept={completion.accept} />
      <ProblemLines query={query} problems={errors} />
      <Command.List className="min-h-0 flex-1 overflow-auto pb-2">
        <Command.Empty className="px-3 py-6 text-fg-2">{paletteEmpty(query, search)}</Command.Empty>
        <SessionEntries found={found} go={go} />
        <CommandEntries heading="Commands" commands={found.named} />
        <HitEntries found={found} here={here} go={go} />
        <SearchEntries query={query.trim()} asked={asked} search={search} go={go} />
        <ProjectEntries projects={found.projects} go={go} />
        <CommandEntries
          heading={found.named.length > 0 ? "Other commands" : "Commands"}
          commands={found.commands}
        />
      </Command.List>
      <PaletteFoot
        all={isGuest ? null : search.hits.length > 0 && asked.asksAll ? "all results" : "search"}
      />
    </Command>
  );
}

type Found = ReturnType<typeof usePalette>;
/** Opens what an entry leads to. */
type Go = (value: string) => void;

function SessionEntries({ found: { sessions, names }, go }: { found: Found; go: Go }) {
  return (
    <PaletteGroup heading="Sessions">
      {sessions.map(({ id, title, projectId, lastActiveAtMs, marks }) => (
        <PaletteEntry
          key={id}
          value={`session ${id}`}
          icon={marks?.starred ? Star : TextAlignStart}
          aside={
            <>
              {names.get(projectId)}
              {lastActiveAtMs === null ? null : <Time atMs={lastActiveAtMs} className="ml-2" />}
            </>
          }
          onSelect={() => go(`session ${id}`)}
        >
          {title}
        </PaletteEntry>
      ))}
    </PaletteGroup>
  );
}

/** Hits in the session of the page first, then all others. */
function HitEntries({ found, here, go }: { found: Found; here: SessionId | null; go: Go }) {
  const places = useHitPlaces([...found.here, ...found.elsewhere]);
  const entry = (hit: SearchHit) => (
    <PaletteHit
      key={hitValue(hit)}
      hit={hit}
      title={hit.sessionId === here ? null : (found.byId.get(hit.sessionId)?.title ?? null)}
      stands={places.get(hitKey(hit))}
      place={hit.sessionId === here ? null : (found.names.get(hit.projectId) ?? null)}
      onSelect={() => go(hitValue(hit))}
    />
  );
  return (
    <>
      <PaletteGroup heading="In this session">{found.here.map(entry)}</PaletteGroup>
      <PaletteGroup heading={here ? "Other sessions" : "Results"}>{found.elsewhere.map(entry)}</PaletteGroup>
    </>
  );
}

/** A failed search once more, and the ways to the pages that list more: every hit, and the sessions of a file. */
function SearchEntries({
  query,
  asked: { failed, asksAll, everywhere, file },
  search,
  go,
}: {
  query: string;
  asked: { failed: boolean; asksAll: boolean; everywhere: string; file: string | null };
  search: PageSearch;
  go: Go;
}) {
  const again = (
    <PaletteEntry key="again" value="again" icon={RotateCw} aside={null} onSelect={search.again}>
      <span className="text-err">{search.error?.message ?? "The search failed."}</span> Search again
    </PaletteEntry>
  );
  const all = (
    <PaletteEntry
      key="all"
      value="all hits"
      icon={SearchIcon}
      aside={<Kbd>⇧↵</Kbd>}
      onSelect={() => go("all hits")}
    >
      {everywhere === query ? "Search everything for" : "List all results for"}{" "}
      <span className="font-semibold">{query}</span>
    </PaletteEntry>
  );
  const ofFile = (
    <PaletteEntry key="file" value="file" icon={FileDiff} aside={null} onSelect={() => go("file")}>
      Sessions that changed <span className="font-mono text-code">{file}</span>
    </PaletteEntry>
  );
  return (
    <PaletteGroup heading="Search">
      {[...(asksAll ? [all] : []), ...(asksAll && file !== null ? [ofFile] : []), ...(failed ? [again] : [])]}
    </PaletteGroup>
  );
}

function ProjectEntries({ projects, go }: { projects: Found["projects"]; go: Go }) {
  return (
    <PaletteGroup heading="Projects">
      {projects.map(({ id, path, sessions: count, marks }) => (
        <PaletteEntry
          key={id}
          value={`project ${id}`}
          icon={marks?.hidden ? EyeOff : marks?.starred ? Star : Folder}
          aside={count}
          onSelect={() => go(`project ${id}`)}
        >
          {shortenHome(path)}
        </PaletteEntry>
      ))}
    </PaletteGroup>
  );
}

/** Commands with their keys. Each is named in lower case, as beside its key at a page's foot; here it is an entry of its own. */
function CommandEntries({ heading, commands }: { heading: string; commands: Found["commands"] }) {
  return (
    <PaletteGroup heading={heading}>
      {commands.map(({ label, keys, run }) => (
        <PaletteEntry
          key={label}
          value={`command ${label}`}
          icon={CornerDownLeft}
          aside={keys[0] && <Kbd>{printKey(keys[0])}</Kbd>}
          onSelect={() => closeDialogAnd(() => run(new KeyboardEvent("keydown")))}
        >
          {label.charAt(0).toUpperCase() + label.slice(1)}
        </PaletteEntry>
      ))}
    </PaletteGroup>
  );
}

/** How many hits there are, and whether that is all of them. */
function PaletteCount({ query, search }: { query: string; search: PageSearch }) {
  const { phase, hits, progress, tookMs } = search;
  const complete = search.complete && !progress?.unsearched;
  if (query.trim() === "" || phase === "idle") return null;
  const running = phase === "running";
  return (
    <span role="status" className="flex-none text-12 text-fg-2 tabular-nums">
      {phase === "failed"
        ? "Search failed"
        : running && hits.length === 0
          ? "Searching…"
          : `${formatCount(hits.length)}${running || !complete ? "+" : ""} ${hits.length === 1 ? "result" : "results"}`}
      {!running && complete && tookMs !== null && ` · ${formatDuration(tookMs)}`}
    </span>
  );
}

/** Shown instead of the list when it is empty. */
function paletteEmpty(query: string, { phase, complete, progress }: PageSearch): string {
  if (query.trim() === "") return "No sessions yet.";
  if (phase === "running" || phase === "idle") return "Searching logs…";
  if (progress?.unsearched) return `No results so far: ${formatUnsearched(progress.unsearched)}.`;
  return complete ? `No results for ${query.trim()}` : "No results so far.";
}

/** The palette's keys and filters in one line. */
function PaletteFoot({ all }: { all: string | null }) {
  return (
    <div className="flex h-7 flex-none items-center gap-4 overflow-hidden border-t border-line bg-panel px-3 text-11 whitespace-nowrap text-fg-2 max-sm:hidden">
      <Key keys={["ArrowUp", "ArrowDown"]}>move</Key>
      <Key keys={["Enter"]}>open</Key>
      <Key keys={["mod+enter"]}>in a new tab</Key>
      {all && <Key keys={["⇧↵"]}>{all}</Key>}
      <span className="flex-1" />
      <span className="truncate text-fg-3">
        {FILTER_NAMES.map((name) => `${name}:`)
          .slice(0, 7)
          .join(" ")}
      </span>
    </div>
  );
}

function Key({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="flex flex-none items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>
          {key === "mod+enter" ? printKey("mod+enter").replace(/ENTER$/, "↵") : printKey(key)}
        </Kbd>
      ))}
      {children}
    </span>
  );
}

/** The palette over the page: sessions, projects, commands and hits in one field, opened from anywhere. */
export function PaletteDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  useEffect(() => (open ? holdKeys() : undefined), [open]);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Our own scrim, as in the kit's dialog: Radix's injects a style element. */}
        <div aria-hidden="true" className="fixed inset-0 z-30 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={keepWhileComposing}
          className="fixed top-[min(10vh,88px)] left-1/2 z-40 flex max-h-[72vh] w-[calc(100%-24px)] max-w-[720px] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line-2 bg-bg shadow-overlay focus:outline-none max-sm:top-2 max-sm:max-h-[88vh]"
        >
          <Radix.Title className="sr-only">Go to or search</Radix.Title>
          <Palette close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
