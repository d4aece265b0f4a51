import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Rewriting } from "@/lib/redact/home-folder";
import type { Redaction } from "@/lib/redact/redaction";
import { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, uuid, writeTree } from "@/lib/testing/log-tree";
import { leaked, readable, secretTree } from "@/lib/testing/secret-session";
import { plantSecrets } from "@/lib/testing/secrets";
import { EXPORT_FORMAT_IDS, type ExportFormat, WITH_LOGGED_PATHS } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import { choose, WHOLE } from "./chosen-part";
import { cloneSession } from "./clone/clone-session";
import { exportSession } from "./export-session";

type Opened = {
  sessions: SessionQueries;
  files: SessionFiles;
  redaction: Redaction;
  shortened: Rewriting | null;
};

async function open(root: string): Promise<Opened> {
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const id = catalog.summaries()[0]?.id as SessionId;
  const secrets = new SessionSecrets(catalog, scanSecrets);
  const redaction = await secrets.redaction(id);
  const shortened = await secrets.rewriting(id, { redact: false, tilde: true, relative: false });
  return {
    sessions: createSessions(catalog, { scan }),
    files: catalog.sessionFiles(id),
    redaction,
    shortened,
  };
}

async function exported(
  { sessions, files }: Opened,
  format: ExportFormat,
  by: Rewriting | null,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  const file = await exportSession(sessions, files, { format, redaction: by });
  // A clone is a zip here: its files, as they go into that.
  const all = format === "jsonl" ? await cloneOf(sessions, files, by) : [file];
  for (const one of all) for await (const piece of one.pieces) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

const root = writeTree(secretTree());
let planted: Opened;
/** What was exported of it, by format: plain, and redacted. */
const exports = new Map<ExportFormat, Promise<{ plain: string; redacted: string }>>();

beforeAll(async () => {
  planted = await open(root);
});
afterAll(() => rmSync(root, { recursive: true }));

function bothOf(format: ExportFormat): Promise<{ plain: string; redacted: string }> {
  const known = exports.get(format) ?? exportBoth(planted, format);
  exports.set(format, known);
  return known;
}

async function exportBoth(
  opened: Opened,
  format: ExportFormat,
): Promise<{ plain: string; redacted: string }> {
  return {
    plain: await exported(opened, format, null),
    redacted: await exported(opened, format, opened.redaction),
  };
}

async function cloneOf(sessions: SessionQueries, { id }: SessionFiles, by: Rewriting | null) {
  const seen = by ? sessions.redactedBy(by) : sessions;
  return (await cloneSession(seen, id, await choose(seen, id, WHOLE), by)).files;
}

test.each(EXPORT_FORMAT_IDS)("%s contains no part of a secret, and everything else", async (format) => {
  const both = await bothOf(format);
  const plain = readable(both.plain);
  const redacted = readable(both.redacted);
  // Of a trace only the first words of what was said and done are part.
  expect(leaked(plain).length).toBeGreaterThan(format === "trace" ? 50 : 300);
  expect(leaked(redacted)).toEqual([]);
  if (format === "trace") return;
  expect(plain).toContain("marlowe");
  for (const secret of ["marlowe", "zebra-42-lamp"]) expect(redacted).not.toContain(secret);
  expect(redacted).toContain("Anyone may know this sentence.");
  expect(redacted).toMatch(/\[github-token \d+\]/);
});

const IN_HOME = /\/home\/marlowe(?![\w-])/g;

test.each(EXPORT_FORMAT_IDS.filter((format) => format !== "html" && !WITH_LOGGED_PATHS.includes(format)))(
  "%s has ~ for the home folder wherever a path begins with it, and all else as it was",
  async (format) => {
    const { plain } = await bothOf(format);
    expect(await exported(planted, format, planted.shortened)).toBe(plain.replace(IN_HOME, "~"));
  },
);

test("html has ~ for the home folder in its page and in what the page is made from", async () => {
  const html = await exported(planted, "html", planted.shortened);
  expect(html).not.toMatch(IN_HOME);
  expect(html).toContain("~/shop");
});

test("md contains long texts in full, with secrets far from their beginnings replaced", async () => {
  const secrets = plantSecrets(31, 1).filter(({ secret }) => secret.length > 12 && !secret.includes("\n"));
  const far = "Nothing to see in this line.\n".repeat(60);
  const text = `${far}${secrets.map((one) => one.text).join(`\n${far}`)}\nAnyone may know how it ends.`;
  const log = `projects/-home-marlowe-shop/${uuid(1)}.jsonl`;
  const opened = await open(makeTree({ [log]: [prompt(text), answer(text)] }));
  const { plain, redacted } = await exportBoth(opened, "md");
  expect(secrets.length).toBeGreaterThan(50);
  expect(secrets.filter(({ secret }) => !plain.includes(secret))).toEqual([]);
  expect(secrets.filter(({ secret }) => redacted.includes(secret))).toEqual([]);
  for (const md of [plain, redacted]) expect(md.match(/Anyone may know how it ends\./g)).toHaveLength(2);
});

test("an output that the client saved to a file of its own is in the page, redacted", async () => {
  const { plain, redacted } = await bothOf("html");
  for (const html of [plain, redacted]) expect(html).toContain("Anyone may know this line.");
});

test("a redacted log is a log: line for line the same except the texts with secrets", async () => {
  const { plain, redacted } = await bothOf("log");
  const [before, after] = [plain, redacted].map((text) =>
    text
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one)),
  );
  expect(after?.map(({ uuid: id, parentUuid }) => [id, parentUuid])).toEqual(
    before?.map(({ uuid: id, parentUuid }) => [id, parentUuid]),
  );
  expect(redacted).toContain('"signature":"c2ln"');
});
