import type { Page } from "@playwright/test";
import type { Samples } from "./samples";

/** A page, and how to get there. */
export type View = {
  name: string;
  /** Among sessions at work, or of every recorded tool, in place of the samples. */
  of?: "live" | "recordings";
  path: (samples: Samples) => string;
  /** Without the token that the server asks for. */
  isStranger?: true;
  /** Answers of the server that never come, as the beginning of its routes. */
  unanswered?: string;
  /** What to do there, once it is drawn. */
  act?: (page: Page) => Promise<unknown>;
  /** As it leaves the printer. */
  onPaper?: true;
  /** Of the screen in the README's picture, if it needs more room than the others. */
  width?: number;
};

const openRow = async (page: Page) => {
  await page.locator("article[data-record-id]").first().waitFor();
  await page.keyboard.press("o");
};

/** The README's. */
export const README_VIEWS: readonly View[] = [
  { name: "library", path: () => "/" },
  { name: "session", path: ({ session, edit }) => `/sessions/${session}?at=${edit}`, act: openRow },
  {
    name: "graph",
    path: ({ session }) => `/sessions/${session}?view=graph`,
    // All of it, on a screen that has room for its labels.
    act: (page) => page.keyboard.press("0"),
    width: 1600,
  },
  { name: "waterfall", path: ({ session }) => `/sessions/${session}?view=waterfall` },
  {
    name: "live",
    of: "live",
    path: ({ session, agent }) => `/sessions/${session}?follow=1&panes=agent:${agent}`,
  },
];

const press = (key: string) => (page: Page) => page.keyboard.press(key);

/** Opens the rows of a turn. */
const openTurn = async (page: Page) => {
  await page.locator("article[data-record-id]").first().waitFor();
  await page.keyboard.press("e");
};

/** Scrolls the gallery to what it has of a tool. */
const toGroup = (name: string) => async (page: Page) => {
  await page.locator("main[data-done]").waitFor({ timeout: 240_000 });
  await page.locator(`section[data-group="${name}"]`).evaluate((section) => section.scrollIntoView());
};

/** Every page and what opens on it, for looking over a change of style. */
export const SHEET_VIEWS: readonly View[] = [
  ...README_VIEWS,
  { name: "library filtered", path: () => "/?q=is:error" },
  { name: "library empty", path: () => "/?q=nowhere" },
  { name: "library loading", path: () => "/", unanswered: "sessions" },
  { name: "start of a session", path: ({ session }) => `/sessions/${session}` },
  { name: "end of a session", path: ({ session }) => `/sessions/${session}`, act: press("G") },
  { name: "fork", path: ({ session, fork }) => `/sessions/${session}?at=${fork}` },
  { name: "compaction", path: ({ session, compaction }) => `/sessions/${session}?at=${compaction}` },
  { name: "opened turn", path: ({ session, edit }) => `/sessions/${session}?at=${edit}`, act: openTurn },
  { name: "prompts", path: ({ session }) => `/sessions/${session}?detail=prompts` },
  { name: "brief", path: ({ session, edit }) => `/sessions/${session}?at=${edit}`, act: press("b") },
  { name: "outline", path: ({ session }) => `/sessions/${session}?sheet=outline` },
  { name: "agent", path: ({ session, agent }) => `/sessions/${session}?agent=${agent}` },
  {
    name: "panes",
    path: ({ session, agent, edit }) => `/sessions/${session}?panes=agent:${agent},record:${edit}&at=${edit}`,
  },
  {
    name: "inspector",
    path: ({ session, edit }) => `/sessions/${session}?panes=record:${edit}&at=${edit}`,
  },
  {
    name: "context",
    path: ({ session, edit }) => `/sessions/${session}?panes=context:${edit}&at=${edit}`,
  },
  { name: "files", path: ({ session }) => `/sessions/${session}?panes=files` },
  {
    name: "comments",
    path: ({ session, edit }) => `/sessions/${session}?panes=comments&at=${edit}`,
    act: press("a"),
  },
  { name: "presenting", path: ({ session }) => `/sessions/${session}`, act: press("P") },
  { name: "organise", path: ({ session }) => `/sessions/${session}`, act: press("t") },
  { name: "graph near", path: ({ session, fork }) => `/sessions/${session}?view=graph&at=${fork}` },
  { name: "compare", path: ({ session }) => `/sessions/${session}?view=compare` },
  {
    name: "waterfall-all",
    path: ({ session }) => `/sessions/${session}?view=waterfall`,
    act: (page) => page.getByRole("listbox", { name: "Steps by time" }).press("0"),
  },
  { name: "changes", path: ({ session }) => `/sessions/${session}?view=changes` },
  { name: "context over time", path: ({ session }) => `/sessions/${session}?view=context` },
  {
    name: "file",
    path: ({ session }) => `/sessions/${session}?view=changes`,
    act: (page) =>
      page
        .getByRole("article", { name: "src/checkout.js", exact: true })
        .getByRole("button", { name: "Versions" })
        .click(),
  },
  { name: "find", path: ({ session }) => `/sessions/${session}?q=charge` },
  { name: "session loading", path: ({ session }) => `/sessions/${session}`, unanswered: "sessions/" },
  { name: "session missing", path: () => "/sessions/00000000-0000-4000-8000-000000000000" },
  { name: "page missing", path: () => "/nowhere" },
  { name: "token missing", path: () => "/", isStranger: true },
  { name: "search", path: () => "/search?q=charge" },
  { name: "search start", path: () => "/search" },
  { name: "search empty", path: () => "/search?q=nowhere%20is:error" },
  { name: "search mistyped", path: () => "/search?q=is:eror%20/(/" },
  {
    name: "palette",
    path: () => "/",
    act: async (page) => {
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox").first().fill("charged twice");
    },
  },
  { name: "palette start", path: ({ session }) => `/sessions/${session}`, act: press("ControlOrMeta+k") },
  { name: "now", of: "live", path: () => "/now" },
  {
    name: "now as a list",
    of: "live",
    path: () => "/now",
    act: press("v"),
  },
  { name: "now empty", path: () => "/now" },
  { name: "doctor", path: () => "/doctor" },
  { name: "file across sessions", path: () => "/files?path=checkout.js" },
  { name: "usage", path: () => "/usage" },
  { name: "usage by prompt", path: () => "/usage?view=prompts" },
  { name: "your prompts", path: () => "/prompts?sort=uses" },
  { name: "unanswered", path: () => "/?q=is:unanswered" },
  { name: "usage by session", path: () => "/usage?by=session&measure=tokens" },
  {
    name: "about",
    path: ({ session }) => `/sessions/${session}`,
    act: async (page) => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "About this session" }).click();
    },
  },
  { name: "settings", path: () => "/", act: press(",") },
  { name: "notifications", of: "live", path: () => "/now", act: press("B") },
  { name: "keys", path: ({ session }) => `/sessions/${session}`, act: press("?") },
  { name: "share", path: ({ session }) => `/sessions/${session}`, act: press("s") },
  {
    name: "shared by me",
    path: ({ session }) => `/sessions/${session}`,
    act: async (page) => {
      await page.keyboard.press("s");
      const dialog = page.getByRole("dialog", { name: "Share this view" });
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByRole("img", { name: "QR code of the link" }).waitFor();
      await dialog.getByRole("tab", { name: "Shared by me" }).click();
    },
  },
  { name: "export", path: ({ session }) => `/sessions/${session}`, act: press("x") },
  {
    name: "menu",
    path: ({ session }) => `/sessions/${session}`,
    act: (page) => page.getByRole("button", { name: "More", exact: true }).click(),
  },
  {
    name: "print",
    path: ({ session, edit }) => `/sessions/${session}?at=${edit}`,
    act: openRow,
    onPaper: true,
  },
  // The gallery reads every recorded session for each of them.
  ...["Edit", "Workflow"].map(
    (tool): View => ({
      name: `gallery ${tool}`,
      of: "recordings",
      path: () => "/gallery",
      act: toGroup(tool),
    }),
  ),
];
