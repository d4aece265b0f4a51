import { expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { EXPORT_FORMAT_IDS, type ExportFormat, MAX_EXPORTED_SESSIONS } from "@/lib/wire/export-formats.mjs";
import { ManyExportRequest, TicketBody } from "@/lib/wire/requests/exports";
import { mayLack, zipPath } from "./export-menu";

const ALL = { isRedacted: true, hasTilde: true, isRelative: true };
const sessionsIn = (path: string) =>
  ManyExportRequest.parse(Object.fromEntries(new URL(path, "http://localhost").searchParams)).sessions;

it("names each session unambiguously, even if a log is in two folders", async () => {
  const root = makeTree({
    [`projects/-home-dev-a/${uuid(1)}.jsonl`]: [prompt("one")],
    [`projects/-home-dev-b/${uuid(1)}.jsonl`]: [prompt("one, copied")],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const ids = catalog.summaries().map(({ id }) => id);
  expect(ids).toHaveLength(2);
  expect(sessionsIn(zipPath(catalog.summaries(), "md", ALL))).toEqual(ids);
});

it("has an address that a ticket accepts, however many sessions and whatever their logs are called", () => {
  const sessions = Array.from({ length: MAX_EXPORTED_SESSIONS }, (_, n) => ({
    id: `${"rollout-".repeat(10)}-${String(n).padStart(6, "0")}`,
  }));
  const path = zipPath(sessions, "messages", ALL);
  expect(TicketBody.parse({ path })).toEqual({ path });
  expect(sessionsIn(path)).toHaveLength(MAX_EXPORTED_SESSIONS);
});

it("asks for shorter paths in no format that Claude Code reads", () => {
  const asked = (format: ExportFormat) => zipPath([{ id: "a" }], format, ALL);
  expect(asked("md")).toBe("/api/export?sessions=a&format=md&redact=1&tilde=1&relative=1");
  expect(asked("jsonl")).toBe("/api/export?sessions=a&format=jsonl&redact=1");
});

it("asks for comments only in a format that has a place for them", () => {
  const asked = (format: ExportFormat) => zipPath([{ id: "a" }], format, { ...ALL, hasComments: true });
  const path = "/api/export?sessions=a&format=md&redact=1&tilde=1&relative=1&comments=1";
  expect(asked("md")).toBe(path);
  expect(TicketBody.parse({ path })).toEqual({ path });
  expect(asked("log")).toBe("/api/export?sessions=a&format=log&redact=1");
});

it("leaves out of every session what the export of one may leave out", () => {
  const path = zipPath([{ id: "a" }], "html", {
    ...{ isRedacted: false, hasTilde: false, isRelative: false },
    without: ["thinking", "images"],
  });
  expect(path).toBe("/api/export?sessions=a&format=html&thinking=0&images=0");
  expect(TicketBody.parse({ path })).toEqual({ path });
  const { thinking, tools, agents, images } = ManyExportRequest.parse(
    Object.fromEntries(new URL(path, "http://localhost").searchParams),
  );
  expect({ thinking, tools, agents, images }).toEqual({
    ...{ thinking: false, tools: true, agents: true, images: false },
  });
});

it("offers no original log where something is left out: a zip of it would hold nothing but why", () => {
  const offered = (without: readonly "thinking"[]) =>
    EXPORT_FORMAT_IDS.filter((one) => mayLack(one, without));
  expect(offered([])).toEqual(EXPORT_FORMAT_IDS);
  expect(offered(["thinking"])).toEqual(EXPORT_FORMAT_IDS.filter((one) => one !== "log"));
});
