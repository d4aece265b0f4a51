import { expect, test } from "vitest";
import { withShortPaths } from "@/lib/redact/home-folder";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder } from "@/lib/testing/transcript";
import { EXPORT_FORMAT_IDS, WITH_LOGGED_PATHS } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import { choose, WHOLE } from "./chosen-part";
import { exportSession } from "./export-session";
import { exportSizes } from "./export-sizes";

const ID = uuid(1) as SessionId;
const NEVER = new AbortController().signal;

async function opened() {
  const lines = Array.from({ length: 40 }, (_, at) => [
    prompt(`ünd ${at}`, { uuid: uuid(2 * at + 10), parentUuid: at === 0 ? null : uuid(2 * at + 9) }),
    answer(`seen ${at}`, { uuid: uuid(2 * at + 11), parentUuid: uuid(2 * at + 10) }),
  ]);
  const { catalog, sessions } = await openFolder(makeTree({ [`projects/-srv/${ID}.jsonl`]: lines.flat() }));
  return { sessions, files: catalog.sessionFiles(ID) };
}

test("what is said of each format are the bytes of its file", async () => {
  const { sessions, files } = await opened();
  const { sizes } = await exportSizes(sessions, files, {}, { signal: NEVER, maxMs: 60_000 });
  for (const format of EXPORT_FORMAT_IDS) {
    const parts: Buffer[] = [];
    const { pieces } = await exportSession(sessions, files, { format });
    for await (const piece of pieces) parts.push(Buffer.from(piece));
    expect([format, sizes[format]]).toEqual([format, { bytes: Buffer.concat(parts).length, isWhole: true }]);
  }
});

test("what is shortened is measured so in all formats but those that keep their paths", async () => {
  const { sessions, files } = await opened();
  const shortened = withShortPaths({ homes: ["seen"], project: null }, null);
  const measure = async (settings: object) =>
    (await exportSizes(sessions, files, settings, { signal: NEVER, maxMs: 60_000 })).sizes;
  const [plain, short] = [await measure({}), await measure({ shortened })];
  for (const format of EXPORT_FORMAT_IDS)
    expect([format, short[format]?.bytes === plain[format]?.bytes]).toEqual([
      format,
      WITH_LOGGED_PATHS.includes(format),
    ]);
});

test("a part is smaller, and what cannot hold it has no size", async () => {
  const { sessions, files } = await opened();
  const measure = async (more: object) => {
    const choice = await choose(sessions, ID, { ...WHOLE, ...more });
    return (await exportSizes(sessions, files, { choice }, { signal: NEVER, maxMs: 60_000 })).sizes;
  };
  const [whole, part] = [await measure({}), await measure({ turns: { from: 1, to: 2 } })];
  expect(part.md?.bytes).toBeLessThan((whole.md?.bytes ?? 0) / 5);
  expect(part.log).toBeUndefined();
});

test("a file that takes too long is measured as far as that went; the log's length is known", async () => {
  const { sessions, files } = await opened();
  const whole = (await exportSizes(sessions, files, {}, { signal: NEVER, maxMs: 60_000 })).sizes;
  const { sizes } = await exportSizes(sessions, files, {}, { signal: NEVER, maxMs: -1 });
  for (const format of ["html", "md", "json", "messages", "trace"] as const) {
    expect([format, sizes[format]?.isWhole]).toEqual([format, false]);
    expect(sizes[format]?.bytes).toBeLessThan(whole[format]?.bytes ?? 0);
  }
  expect(sizes.log).toEqual(whole.log);
  const gone = { signal: AbortSignal.abort() };
  expect(await exportSizes(sessions, files, {}, gone)).toEqual({ sizes: {} });
});
