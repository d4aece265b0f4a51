import { type KeyboardEvent, useState } from "react";
import { libraryHref } from "@/components/library/library-filters";
import { useAwaitedEnter } from "@/components/search/awaited-enter";
import { hitHref, searchHref } from "@/components/search/search-facets";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { withBasePath } from "@/lib/client/address/base-path";
import { isForInputMethod } from "@/lib/client/key-events";
import { usePreferences } from "@/lib/client/preferences";
import { inAddress } from "@/lib/format/text";
import { hitValue } from "./palette-hit";
import type { usePalette } from "./use-palette";

/**
 * What the palette lists beside sessions, projects, commands and hits: a link to all hits, and to a file's sessions, and
 * a `failed` search once more.
 */
type Asked = {
  failed: boolean;
  asksAll: boolean;
  /** The query as it is asked on the page of all hits. */
  everywhere: string;
  file: string | null;
};

/**
 * The entry of the palette that is chosen, and the way to where an entry leads. Enter opens it, in a new tab with the
 * command key; right behind the last letter it waits for the first hit of what was typed.
 * @param close closes the palette, before a page is opened
 */
export function usePaletteChoice(
  query: string,
  { here, elsewhere, sessions, projects, named, commands, search }: ReturnType<typeof usePalette>,
  { failed, asksAll, everywhere, file }: Asked,
  close: () => void,
) {
  const openPage = useOpenPage();
  const { detail } = usePreferences();
  const [selected, setSelected] = useState("");
  const found = [...here, ...elsewhere];
  const hits = found.map(hitValue);
  /** Where the entries lead, in the order in which they are listed. */
  const hrefs = new Map<string, string>([
    ...sessions.map(({ id }) => [`session ${id}`, `/sessions/${encodeURIComponent(id)}`] as const),
    // Until the first answer to the typed text, these are hits of the previous text.
    ...found.map((hit) => [hitValue(hit), hitHref(hit, search.of.trim(), detail)] as const),
    ...(asksAll ? [["all hits", searchHref(everywhere)] as const] : []),
    ...(file === null ? [] : [["file", `/files?path=${inAddress(file)}`] as const]),
    ...projects.map(({ id }) => [`project ${id}`, libraryHref({ project: id })] as const),
  ]);
  const values = [
    ...sessions.map(({ id }) => `session ${id}`),
    ...named.map(({ label }) => `command ${label}`),
    ...[...hrefs.keys()].slice(sessions.length),
    ...(failed ? ["again"] : []),
    ...commands.map(({ label }) => `command ${label}`),
  ];
  // Answers arrive later than keys: if the chosen entry is gone from the list, the first one is chosen.
  const current = values.includes(selected) ? selected : (values[0] ?? "");

  const go = (value: string) => {
    const href = hrefs.get(value);
    if (!href) return;
    close();
    openPage(href);
  };
  const goInTab = (value: string) => {
    const href = hrefs.get(value);
    if (href) window.open(withBasePath(href), "_blank", "noopener");
  };
  const enter = useAwaitedEnter({
    search,
    query,
    hasHit: hits.length > 0,
    open: (newTab) => {
      const value = hits.includes(current) ? current : (hits[0] ?? "");
      if (newTab) goInTab(value);
      else go(value);
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event.nativeEvent)) return;
    enter.forget();
    if (event.key !== "Enter") return;
    const value = event.shiftKey && asksAll ? "all hits" : current;
    const newTab = !event.shiftKey && (event.metaKey || event.ctrlKey);
    // Before the first hits arrive, the link to all hits is the first entry, without anybody having chosen it.
    const meansHit = hits.includes(value) || (!event.shiftKey && value === "all hits" && value === values[0]);
    if (enter.isDue && meansHit) enter.remember(newTab);
    // The entry itself does the rest.
    else if (!hrefs.has(value) || !(event.shiftKey || newTab)) return;
    else if (newTab) goInTab(value);
    else go(value);
    event.preventDefault();
  };
  return { current, choose: setSelected, go, onKeyDown };
}
