import { expect, it } from "vitest";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { queryOfPart, WHOLE_SESSION } from "./export-part";
import { askedExport, type ExportOptions, exportPath, formatsOfPart } from "./export-query";

const ID = "shop~1" as SessionId;
const BRANCH = { id: null, turns: 9, turn: null, isOnly: true };
const PLAIN: ExportOptions = {
  comments: false,
  redact: false,
  kept: new Set(),
  tilde: false,
  relative: false,
};
const SHORT: ExportOptions = { ...PLAIN, tilde: true, relative: true };

const pathOf = (options: ExportOptions, more = {}, format: "md" | "jsonl" = "md") =>
  exportPath(ID, format, askedExport(options, queryOfPart({ ...WHOLE_SESSION, ...more }, BRANCH, null)));

it("asks for nothing but the format where nothing was chosen", () => {
  expect(pathOf(PLAIN)).toBe("/api/sessions/shop~1/export?format=md");
});

it("names the secrets that stay only where the others are replaced", () => {
  const kept = new Set(["email 2", "user 1"]);
  expect(pathOf({ ...PLAIN, kept })).toBe("/api/sessions/shop~1/export?format=md");
  expect(pathOf({ ...PLAIN, redact: true, kept })).toBe(
    "/api/sessions/shop~1/export?format=md&redact=1&except=email.2,user.1",
  );
});

it("shortens no paths in a format that Claude Code reads", () => {
  expect(pathOf(SHORT)).toBe("/api/sessions/shop~1/export?format=md&tilde=1&relative=1");
  expect(pathOf(SHORT, {}, "jsonl")).toBe("/api/sessions/shop~1/export?format=jsonl");
});

it("asks for comments only in a format that has a place for them", () => {
  const commented = { ...PLAIN, comments: true };
  expect(pathOf(commented)).toBe("/api/sessions/shop~1/export?format=md&comments=1");
  expect(pathOf(commented, {}, "jsonl")).toBe("/api/sessions/shop~1/export?format=jsonl");
});

it("asks for the turns that were chosen, without what was left out", () => {
  expect(pathOf(PLAIN, { what: "turns", from: "2", to: "4", images: false })).toBe(
    "/api/sessions/shop~1/export?format=md&turns=2-4&images=0",
  );
});

it("offers the original log with the whole session alone, and while no part is chosen", () => {
  const offered = (more: object, selection: Parameters<typeof queryOfPart>[2] = null) =>
    formatsOfPart(queryOfPart({ ...WHOLE_SESSION, ...more }, BRANCH, selection)).includes("log");
  expect(offered({})).toBe(true);
  expect(offered({ what: "turns", to: "99" })).toBe(true);
  expect(offered({ what: "turns", to: "4" })).toBe(false);
  expect(offered({ thinking: false })).toBe(false);
  const record = "m~1" as RecordId;
  expect(offered({ what: "selection" }, { from: record, to: record, rows: 1 })).toBe(false);
});
