// @vitest-environment page
import { act, type ReactNode } from "react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import type { SearchEvent } from "@/lib/wire/search";
import { PaletteDialog } from "./palette/palette";
import { SearchPage } from "./search-page";

const opened = vi.hoisted(() => [] as string[]);
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push: (href: string) => opened.push(href) }),
  usePathname: () => "/search",
}));
vi.mock("@/components/share/page-menu", () => ({ PageMenu: () => null }));

const START: SearchEvent = { kind: "start", problems: [] };
const END: SearchEvent = {
  kind: "end",
  complete: true,
  nextCursor: null,
  progress: { bytesDone: 1, bytesTotal: 1, filesDone: 1, filesTotal: 1 },
};
const found = (session: string): SearchEvent => ({
  kind: "hits",
  hits: [makeHit({ session, field: "text" })],
});

/** A search that the server has been asked for. */
type Asked = { tell: (...events: SearchEvent[]) => Promise<void> };
let searches: Map<string, Asked>;
let page: DrawnPage;

beforeEach(() => {
  opened.length = 0;
  searches = new Map();
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1");
    if (url.pathname === "/api/search") return streamOf(url.searchParams.get("q") ?? "");
    return Response.json({ sessions: [], nextCursor: null, projects: [], totals: null, places: [null] });
  });
  window.history.replaceState(null, "", "/search?q=");
  page = drawnPage();
});

function streamOf(query: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: SearchEvent) =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
      send(START);
      searches.set(query, {
        tell: (...events) =>
          act(async () => {
            for (const event of events) send(event);
            if (events.includes(END)) controller.close();
            await frames();
          }),
      });
    },
  });
  return new Response(body);
}

/** What has come is shown with the next frame. */
const frames = async () => {
  for (let frame = 0; frame < 3; frame++)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
};

const field = () => document.querySelector("input") as HTMLInputElement;

/** Writes the query, and waits until the server has been asked. */
async function write(query: string): Promise<Asked> {
  await type(query);
  for (;;) {
    // What the pause sets is drawn when an act ends.
    await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 20))));
    const asked = searches.get(query);
    if (asked) return asked;
  }
}

async function type(query: string): Promise<void> {
  await act(async () => {
    field().focus();
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    set?.call(field(), query);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

const press = (key: string) =>
  act(async () => void field().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));

const VIEWS: [string, ReactNode][] = [
  ["on the search page", <SearchPage key="page" />],
  ["in the palette", <PaletteDialog key="palette" open onOpenChange={() => undefined} />],
];

for (const [name, view] of VIEWS) {
  it(`${name}, Enter behind a new query opens its first result as soon as that is there, and none of the one before`, async () => {
    await page.draw(view);
    await (await write("apple")).tell(found("apple"), END);
    await type("pear");
    await press("Enter");
    const pear = await write("pear");
    expect(opened).toEqual([]);
    await pear.tell(found("pear"));
    expect(opened).toEqual([expect.stringMatching(/^\/sessions\/pear\?.*q=pear/)]);
    await pear.tell(found("another"), END);
    expect(opened).toHaveLength(1);
  });

  it(`${name}, Enter behind the first query opens its first result as well`, async () => {
    await page.draw(view);
    const pear = await write("pear");
    await press("Enter");
    expect(opened).toEqual([]);
    await pear.tell(found("pear"));
    expect(opened).toEqual([expect.stringMatching(/^\/sessions\/pear\?.*q=pear/)]);
  });

  it(`${name}, Enter is forgotten when the reader types on, and when nothing is found`, async () => {
    await page.draw(view);
    await (await write("apple")).tell(found("apple"), END);
    await write("pear");
    await press("Enter");
    await (await write("pears")).tell(found("pears"), END);
    const grapes = await write("grapes");
    await press("Enter");
    await grapes.tell(END);
    await (await write("plum")).tell(found("plum"), END);
    expect(opened).toEqual([]);
    await press("Enter");
    expect(opened).toEqual([expect.stringContaining("/sessions/plum")]);
  });

  it(`${name}, Enter is forgotten when the reader goes on to another result`, async () => {
    await page.draw(view);
    await (await write("apple")).tell(found("apple"), END);
    const pear = await write("pear");
    await press("Enter");
    await press("ArrowDown");
    await pear.tell(found("pear"), END);
    expect(opened).toEqual([]);
  });
}

it("on the search page, Enter is remembered where there are no results yet, and forgotten when the field is left", async () => {
  await page.draw(<SearchPage />);
  const apple = await write("apple");
  await press("Enter");
  await apple.tell(found("apple"), END);
  expect(opened).toEqual([expect.stringContaining("/sessions/apple")]);
  const pear = await write("pear");
  await press("Enter");
  await press("Escape");
  await pear.tell(found("pear"), END);
  expect(opened).toHaveLength(1);
});

it("the result that the keys go to is read out, and where it is among them, while the focus stays in the field", async () => {
  await page.draw(<SearchPage />);
  await (await write("apple")).tell(found("apple"), found("pear"), END);
  await press("ArrowDown");
  const said = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
  expect(said).toContain("result 1 of 2: please retry it");
  expect(document.activeElement).toBe(field());
});

it("the focus follows the keys of the list, so that Enter opens the result and not what was clicked before", async () => {
  // Rows are drawn as far as there is room for them.
  const height = vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
  onTestFinished(() => height.mockRestore());
  await page.draw(<SearchPage />);
  await (await write("apple")).tell(found("apple"), found("pear"), END);
  const order = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "By time");
  order?.focus();
  await act(async () => void order?.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true })));
  expect(document.activeElement?.getAttribute("href")).toContain("/sessions/apple");
  // Nor is it taken from the field while what is typed still finds that result.
  await (await write("app")).tell(found("apple"), END);
  expect(document.activeElement).toBe(field());
});
