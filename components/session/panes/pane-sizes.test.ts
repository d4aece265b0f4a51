import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { paneName, parsePanes } from "@/lib/client/address/session-url";
import type { AgentId } from "@/lib/wire/ids";
import {
  COVERS_PAGE,
  FIRST_SIZES,
  hasRoomForOutline,
  heightShareOf,
  OVER_PAGE,
  type PaneShares,
  readPaneSizes,
  withPart,
} from "./pane-sizes";

describe("the sizes of panes", () => {
  it("are as at first where something else is kept", () => {
    for (const text of [null, "", "[", "null", "{}", '{"agents":"wide","shares":{"files":-1}}'])
      expect(readPaneSizes(text)).toEqual(FIRST_SIZES);
    expect(readPaneSizes('{"agents":500,"facts":9,"shares":{"agent:a1":1.5,"files":"x"}}')).toEqual({
      ...FIRST_SIZES,
      agents: 500,
      shares: { "agent:a1": 1.5 },
    });
  });

  it("change for the two panes beside an edge alone", () => {
    expect(withPart({}, "a", "b", 0.75)).toEqual({ a: 1.5, b: 0.5 });
    expect(withPart({ a: 1.5, b: 0.5, c: 1 }, "b", "c", 0.5)).toEqual({ a: 1.5, b: 0.75, c: 0.75 });
    expect(withPart({}, "b", "c", 0)).toEqual({ b: 0.2, c: 1.8 });
  });

  it("stay with their pane when one above it is closed", () => {
    const [first, second, third] = ["a1", "a2", "a3"].map((id) =>
      paneName({ kind: "agent", id: id as AgentId }),
    ) as [string, string, string];
    const shares = withPart(withPart({}, first, second, 0.9), second, third, 0.5);
    expect([second, third].map((name) => heightShareOf(shares, name))).toEqual([0.6, 0.6]);
    expect(heightShareOf(shares, first)).toBe(1.8);
  });

  it("are forgotten of panes that were sized long ago", () => {
    let shares: PaneShares = {};
    for (let pane = 0; pane < 100; pane++) shares = withPart(shares, `agent:${pane}`, "files", 0.5);
    expect(Object.keys(shares)).toHaveLength(16);
    expect(heightShareOf(shares, "agent:99")).toBeGreaterThan(0);
  });

  it("leave room for the outline beside one pane at 1440, whichever it is", () => {
    const fits = (pagePx: number, panes: string) => hasRoomForOutline(pagePx, FIRST_SIZES, parsePanes(panes));
    for (const pane of ["agent:a1", "record:m~9", "context:m~9", "files"])
      expect(fits(1440, pane)).toBe(true);
    expect(fits(1440, "agent:a1,agent:a2")).toBe(true);
    expect(fits(1440, "agent:a1,context:m~9")).toBe(false);
    expect(fits(1280, "context:m~9")).toBe(false);
    expect(fits(700, "")).toBe(true);
  });
});

it("panes are told to cover the page at the widths at which the style has them do so", () => {
  const style = readFileSync("app/globals.css", "utf8");
  const [, name] = /^max-(\w+):absolute /.exec(OVER_PAGE) ?? [];
  const [, px] = new RegExp(`--breakpoint-${name}: (\\d+px);`).exec(style) ?? [];
  expect(COVERS_PAGE).toBe(`(width < ${px})`);
});
