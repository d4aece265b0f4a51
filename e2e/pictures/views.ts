import type { Page } from "@playwright/test";
import type { Samples } from "./samples";

/** A page, and how to get there. `live`: among sessions at work. */
export type View = {
  name: string;
  live?: true;
  path: (samples: Samples) => string;
  /** What to do there, once it is drawn. */
  act?: (page: Page) => Promise<unknown>;
};

const openRow = async (page: Page) => {
  await page.locator("article[data-record-id]").first().waitFor();
  await page.keyboard.press("o");
};

/** The README's. */
export const README_VIEWS: readonly View[] = [
  { name: "library", path: () => "/" },
  { name: "session", path: ({ session, edit }) => `/sessions/${session}?at=${edit}`, act: openRow },
  { name: "graph", path: ({ session }) => `/sessions/${session}?view=graph` },
  {
    name: "live",
    live: true,
    path: ({ session, agent }) => `/sessions/${session}?follow=1&panes=agent:${agent}`,
  },
];

/** Every page and what opens on it, for looking over a change of style. */
export const SHEET_VIEWS: readonly View[] = [
  ...README_VIEWS,
  {
    name: "start of a session",
    path: ({ session }) => `/sessions/${session}`,
  },
  {
    name: "panes",
    path: ({ session, agent, edit }) => `/sessions/${session}?panes=agent:${agent},record:${edit}&at=${edit}`,
  },
  {
    name: "context",
    path: ({ session, edit }) => `/sessions/${session}?panes=context:${edit}&at=${edit}`,
  },
  { name: "changes", path: ({ session }) => `/sessions/${session}?view=changes` },
  { name: "find", path: ({ session }) => `/sessions/${session}?q=charge` },
  { name: "search", path: () => "/search?q=charge" },
  {
    name: "palette",
    path: () => "/",
    act: async (page) => {
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox").first().fill("charged twice");
    },
  },
  { name: "now", live: true, path: () => "/now" },
  { name: "doctor", path: () => "/doctor" },
  { name: "settings", path: () => "/", act: (page) => page.keyboard.press(",") },
  { name: "keys", path: ({ session }) => `/sessions/${session}`, act: (page) => page.keyboard.press("?") },
  { name: "share", path: ({ session }) => `/sessions/${session}`, act: (page) => page.keyboard.press("s") },
];
