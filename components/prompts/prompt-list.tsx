import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { copyCommand } from "@/components/thread/row-text";
import { Button } from "@/components/ui/button";
import { listPlace, rememberPlace, useKeptGroups, useListPlace } from "@/components/ui/list-place";
import { useRoving } from "@/components/ui/roving";
import { toast } from "@/components/ui/toast";
import { useKeys } from "@/lib/client/key-registry";
import type { PromptsResponse } from "@/lib/wire/search";
import { PromptLine } from "./prompt-line";
import { copyPrompt, type PromptsAsked } from "./prompt-text";

/**
 * Prompts, a line each, with their keys, and the place to which Back leads.
 *
 * @param list tells it from other lists of the page
 * @param isCounted some prompt was used more than once, perhaps one that is not loaded yet
 */
export function PromptList({
  list,
  asked,
  prompts,
  isCounted,
  field,
  more: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  list: string;
  asked: PromptsAsked;
  prompts: PromptsResponse["prompts"];
  isCounted: boolean;
  field: RefObject<HTMLInputElement | null>;
  more: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { scrolled, giveUp } = useListPlace({ view: "prompts", list }, box, {
    totalPx: prompts.length,
    complete: !hasNextPage,
    more: () => void fetchNextPage(),
  });
  const roving = useRoving<HTMLOListElement>();
  const { open, toggle } = useOpenPrompts(list);
  useFocusedPrompt(list, roving.ref);
  usePromptKeys(roving.ref, prompts, asked, field);
  return (
    <div
      ref={box}
      className="min-h-0 flex-1 overflow-y-auto"
      role="region"
      aria-label="Prompts"
      tabIndex={0}
      onScroll={({ currentTarget }) => scrolled(currentTarget.scrollTop)}
      onWheel={giveUp}
      onPointerDown={giveUp}
      onTouchStart={giveUp}
    >
      <ol
        aria-label="Prompts"
        {...roving}
        onClickCapture={({ target }) => {
          const id = (target as Element).closest("a") && promptAt(target as Element);
          if (id) rememberPlace("prompts", list, { cursorKey: id });
        }}
      >
        {prompts.map((prompt) => (
          <PromptLine
            key={prompt.id}
            prompt={prompt}
            asked={asked}
            isCounted={isCounted}
            isOpen={open.includes(prompt.id)}
            onToggle={() => toggle(prompt.id)}
          />
        ))}
      </ol>
      {hasNextPage && (
        <p className="p-3">
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show more
          </Button>
        </p>
      )}
    </div>
  );
}

/** The keys of a list of prompts, which act on the one that has the focus; `field` is where they are searched. */
function usePromptKeys(
  list: RefObject<HTMLElement | null>,
  prompts: PromptsResponse["prompts"],
  asked: PromptsAsked,
  field: RefObject<HTMLInputElement | null>,
): void {
  const step = (by: 1 | -1) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>("[data-roving]") ?? [])];
    const at = lines.findIndex((line) => line.closest("li")?.contains(document.activeElement));
    lines[at === -1 ? 0 : Math.min(lines.length - 1, Math.max(0, at + by))]?.focus();
  };
  const open = () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.dataset.roving !== undefined)
      activeElement.click();
  };
  const copy = () => {
    const id = promptAt(document.activeElement);
    const prompt = prompts.find((one) => one.id === id);
    if (prompt) void copyPrompt(prompt, asked);
    else toast("Select a prompt first");
  };
  useKeys([
    { keys: ["/"], label: "search", group: "Find", run: () => field.current?.select() },
    { keys: ["j", "ArrowDown"], label: "next prompt", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "previous prompt", group: "Move", run: () => step(-1) },
    { keys: ["o"], label: "show its uses", group: "Open and read", run: open },
    copyCommand("copy the prompt", copy),
  ]);
}

/** The id of the prompt in whose line an element is. */
function promptAt(element: Element | null): string | null {
  return element?.closest<HTMLElement>("[data-prompt]")?.dataset.prompt ?? null;
}

/** Which prompts of a list are open, by their ids: kept with the place in it, for who comes back from one of their uses. */
function useOpenPrompts(list: string): { open: readonly string[]; toggle: (id: string) => void } {
  const [open, setOpen] = useState(() => listPlace("prompts", list).groups.expanded);
  useKeptGroups(
    "prompts",
    list,
    useMemo(() => ({ folded: [], expanded: open }), [open]),
  );
  const toggle = (id: string) =>
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
  return { open, toggle };
}

/** Whoever comes back from a session has the focus at the prompt from which they went there. */
function useFocusedPrompt(list: string, box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { cursorKey } = listPlace("prompts", list);
    if (cursorKey === null || document.activeElement !== document.body) return;
    const line = box.current?.querySelector(`[data-prompt="${CSS.escape(cursorKey)}"] [data-roving]`);
    if (line instanceof HTMLElement) line.focus({ preventScroll: true });
  }, [list, box]);
}
