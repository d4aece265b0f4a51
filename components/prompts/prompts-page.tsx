"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Search, TextCursorInput } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type RefObject, useRef } from "react";
import { ProjectChoice } from "@/components/library/project-choice";
import { PageMenu } from "@/components/share/page-menu";
import { Button } from "@/components/ui/button";
import { Field, Segmented } from "@/components/ui/field";
import { Foot, type FootKeys, Frame } from "@/components/ui/frame/frame";
import { HomeCrumb } from "@/components/ui/home-crumb";
import { focusMain, useKeptFocus } from "@/components/ui/main-focus";
import { ProblemLines } from "@/components/ui/problem-lines";
import { EmptyState, FailedState, LookingThrough, SkeletonRows } from "@/components/ui/states";
import { parseAsId } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { isForInputMethod } from "@/lib/client/key-events";
import { useDebounced } from "@/lib/client/use-debounced";
import { formatCount, formatPlural } from "@/lib/format/format";
import type { ProjectId } from "@/lib/wire/ids";
import { PROMPT_SORTS, type PromptSort, type PromptsResponse } from "@/lib/wire/search";
import { PromptList } from "./prompt-list";
import type { PromptsAsked } from "./prompt-text";

const SORTS: readonly { value: PromptSort; label: string }[] = [
  { value: "recent", label: "Latest" },
  { value: "uses", label: "Most used" },
];

const KEYS: FootKeys = [
  [["j", "k"], "prompt"],
  [["Enter"], "its uses"],
  [["mod+c"], "copy it"],
  [["/"], "search"],
  [["?"], "all keys"],
];

/** Sessions are looked through while somebody asks. */
const AGAIN_MS = 1_000;

/** What of the prompts is shown, in the address. */
function usePromptsUrl() {
  return useQueryStates(
    {
      q: parseAsString.withDefault(""),
      project: parseAsId<ProjectId>(),
      sort: parseAsStringLiteral(PROMPT_SORTS).withDefault("recent"),
    },
    { history: "replace" },
  );
}

/** All that the reader typed as a prompt, each once with its uses: those of logs that are gone as well. */
export function PromptsPage() {
  const [{ q, project, sort }, setUrl] = usePromptsUrl();
  const words = useDebounced(q.trim(), 150);
  const asked = { q: words, project };
  const query = usePrompts({ ...asked, sort });
  const field = useRef<HTMLInputElement>(null);
  useKeptFocus(JSON.stringify([words, project, sort]));
  const [first] = query.data?.pages ?? [];
  return (
    <Frame
      top={
        <>
          <HomeCrumb short />
          <h1 className="flex-1 truncate font-semibold">Your prompts</h1>
          <Segmented
            label="Order"
            choices={SORTS}
            value={sort}
            onChange={(next) => void setUrl({ sort: next })}
          />
          <PageMenu />
        </>
      }
      foot={
        <Foot
          left={<span>The same words are one prompt, whatever their capitals and spaces</span>}
          keys={KEYS}
        />
      }
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      <main className="flex flex-col" tabIndex={-1}>
        <search className="flex min-h-tool flex-none flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line-2 bg-panel px-3 py-1 text-12 max-sm:py-1.5">
          <Field
            ref={field}
            label="Search your prompts"
            placeholder='Words, "a phrase", -not, after:30d'
            icon={Search}
            type="search"
            className="w-[420px] min-w-40 shrink max-sm:w-full"
            value={q}
            onChange={(event) => void setUrl({ q: event.target.value || null })}
            onKeyDown={(event) => {
              if (isForInputMethod(event.nativeEvent) || (event.key !== "Enter" && event.key !== "Escape"))
                return;
              event.preventDefault();
              focusMain();
            }}
          />
          <ProjectChoice
            className="w-40 max-sm:flex-1"
            project={project}
            onChange={(next) => void setUrl({ project: next })}
          />
          {first && <FoundCount answer={first} />}
        </search>
        {first && <ProblemLines query={words} problems={first.problems} />}
        {first && !first.complete && <LookingThrough sessions={first.sessions} order="the latest first" />}
        <PromptsAnswer
          query={query}
          asked={asked}
          sort={sort}
          field={field}
          onAll={() => void setUrl({ q: null, project: null })}
        />
      </main>
    </Frame>
  );
}

function usePrompts(asked: PromptsAsked & { sort: PromptSort }) {
  return useInfiniteQuery({
    queryKey: ["prompts", asked],
    queryFn: ({ pageParam, signal }) => api.prompts({ ...asked, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.complete === false ? AGAIN_MS : false),
    refetchOnWindowFocus: true,
  });
}

function FoundCount({ answer: { total, uses } }: { answer: PromptsResponse }) {
  return (
    <span role="status" className="text-fg-2 tabular-nums">
      {total > 0 && formatPlural(total, "prompt")}
      {uses > total && <span className="text-fg-3">, used {formatCount(uses)} times</span>}
    </span>
  );
}

function PromptsAnswer({
  query,
  asked,
  sort,
  field,
  onAll,
}: {
  query: ReturnType<typeof usePrompts>;
  asked: PromptsAsked;
  sort: PromptSort;
  field: RefObject<HTMLInputElement | null>;
  onAll: () => void;
}) {
  const { data, error } = query;
  const prompts = data?.pages.flatMap((page) => page.prompts) ?? [];
  if (error && !data)
    return (
      <FailedState title="Couldn’t list your prompts" error={error} onRetry={() => void query.refetch()} />
    );
  if (!data) return <SkeletonRows count={14} label="Listing your prompts" />;
  if (prompts.length === 0 && data.pages[0]?.complete === false)
    return <SkeletonRows count={14} label="Listing your prompts" />;
  if (prompts.length === 0)
    return asked.q !== "" || asked.project !== null ? (
      <EmptyState
        icon={TextCursorInput}
        title="No prompt matches"
        actions={<Button onClick={onAll}>Show all</Button>}
      >
        Only what you typed is looked through here. The search covers answers, tools and their output.
      </EmptyState>
    ) : (
      <EmptyState icon={TextCursorInput} title="No prompts yet">
        What you type into Claude Code appears here, each prompt once with all its uses.
      </EmptyState>
    );
  const list = JSON.stringify(["prompts", asked, sort]);
  return (
    <PromptList
      key={list}
      list={list}
      asked={asked}
      prompts={prompts}
      isCounted={data.pages.some(({ uses, total }) => uses > total)}
      field={field}
      more={query}
    />
  );
}
