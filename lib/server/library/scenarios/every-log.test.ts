import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { formatDoctor } from "@/lib/server/doctor/format-doctor";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";

const SLUG = "projects/-home-dev-shop";
const MAIN = { [`${SLUG}/${uuid(1)}.jsonl`]: [prompt("main")] };

async function list(root: string): Promise<Catalog> {
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  return catalog;
}

const short = (text: string) => text.replace(/[0-9-]{35}(\d)/g, "log-$1");

/** `title [agents]` of each session, with its mark; UUIDs cut to their last digit. */
function listed(catalog: Catalog): string[] {
  return catalog.summaries().map(({ id, title, logGone }) => {
    const agents = catalog.sessionFiles(id).agents.map(({ agentId }) => ` [${agentId}]`);
    return short(`${title}${agents.join("")}${logGone ? ` — log gone: ${id}` : ""}`);
  });
}

/** What follows a heading of the doctor's text, up to the next empty line. */
async function told(root: string, heading: string): Promise<string[]> {
  const text = formatDoctor(await new Doctor(await list(root), examine).whole(null));
  const lines = text.split("\n");
  const start = lines.indexOf(heading);
  if (start === -1) return [];
  return lines.slice(start + 1, lines.indexOf("", start)).map((line) => short(line.trim()));
}

const sub = (text: string, more: Record<string, unknown> = {}) =>
  prompt(text, { agentId: "a", isSidechain: true, sessionId: uuid(2), ...more });

describe("agents whose session's log is gone", () => {
  it.each([
    ["in the folder of a session without a log", `${uuid(2)}/subagents/agent-a.jsonl`],
    ["beside the main logs, as 2.0.x writes them", "agent-a.jsonl"],
    ["right in the session's folder", `${uuid(2)}/agent-a.jsonl`],
    ["deeper than any client puts them", `${uuid(2)}/subagents/1/2/3/4/5/6/7/8/9/agent-a.jsonl`],
    ["in a folder of workflows", "workflows/agent-a.jsonl"],
    ["in a session's own workflows", `${uuid(2)}/workflows/agent-a.jsonl`],
  ])("are a session under its id: %s", async (_, path) => {
    const root = makeTree({ ...MAIN, [`${SLUG}/${path}`]: [sub("look"), answer("found")] });
    const catalog = await list(root);
    expect(listed(catalog)).toEqual(["main", "look [a] — log gone: log-2"]);
    expect(catalog.totals()).toMatchObject({ filesTotal: 2, recordsOutsideSessions: 0 });
    expect(catalog.due()).toContain(uuid(2));
    const at = path.startsWith("workflows/") ? "workflows/" : "";
    expect(await told(root, "sessions without a main log")).toEqual([
      expect.stringMatching(`^-home-dev-shop/${at}log-2.jsonl: 1 agent’s log left, `),
    ]);
  });

  it("belong to their session where its log is there, however deep they lie", async () => {
    const root = makeTree({
      ...MAIN,
      [`${SLUG}/${uuid(1)}/subagents/1/2/3/4/5/6/7/agent-deep.jsonl`]: [sub("deep")],
      [`${SLUG}/${uuid(1)}/agent-near.jsonl`]: [sub("near")],
      [`${SLUG}/workflows/agent-flow.jsonl`]: [sub("flow", { sessionId: uuid(1) })],
    });
    expect(listed(await list(root))).toEqual(["main [near] [deep] [flow]"]);
  });

  it("become that session when its log appears, and stay one when it goes again", async () => {
    const root = makeTree({ [`${SLUG}/${uuid(2)}/subagents/agent-a.jsonl`]: [sub("look")] });
    const catalog = await list(root);
    const id = uuid(2) as SessionId;
    expect(listed(catalog)).toEqual(["look [a] — log gone: log-2"]);
    writeFileSync(join(root, SLUG, `${uuid(2)}.jsonl`), toText([prompt("back")]));
    expect((await catalog.refresh(id)).main.gone).toBeUndefined();
    expect(listed(catalog)).toEqual(["back [a]"]);
    rmSync(join(root, SLUG, `${uuid(2)}.jsonl`));
    expect((await catalog.refresh(id)).main.gone).toBe(true);
    expect(listed(catalog)).toEqual(["look [a] — log gone: log-2"]);
  });

  it("are each a session of its own where no line names theirs", async () => {
    const root = makeTree({ [`${SLUG}/agent-a.jsonl`]: [sub("look", { sessionId: undefined })] });
    expect(listed(await list(root))).toEqual(["look"]);
  });

  it("are only named where the client warmed them up for a session in which nobody typed", async () => {
    const root = makeTree({ ...MAIN, [`${SLUG}/agent-a.jsonl`]: [sub("Warmup"), answer("ready")] });
    expect(listed(await list(root))).toEqual(["main"]);
    expect(await told(root, "logs outside sessions")).toEqual([
      expect.stringMatching(
        /^-home-dev-shop\/agent-a.jsonl: Only agents that the client warmed up .* 2 lines, 2 records/,
      ),
    ]);
  });

  it("never take an id from a log's lines that is no UUID", async () => {
    const root = makeTree({ [`${SLUG}/agent-a.jsonl`]: [sub("look", { sessionId: "../../../etc/passwd" })] });
    const catalog = await list(root);
    expect(catalog.sessionFiles(catalog.summaries()[0]?.id as SessionId).main.path).toBe(
      join(root, SLUG, "agent-a.jsonl"),
    );
  });

  it("make a session of a main log that holds only book-keeping", async () => {
    const root = makeTree({
      [`${SLUG}/${uuid(2)}.jsonl`]: [{ type: "file-history-snapshot" }],
      [`${SLUG}/${uuid(2)}/subagents/agent-a.jsonl`]: [sub("look")],
    });
    expect(listed(await list(root))).toEqual(["look [a]"]);
  });
});

describe("a main log", () => {
  it.each([
    ["in its session's folder", `${SLUG}/${uuid(2)}/${uuid(2)}.jsonl`],
    ["in a named folder of the project", `${SLUG}/old/${uuid(2)}.jsonl`],
    ["in folders of folders", `${SLUG}/old/older/oldest/${uuid(2)}.jsonl`],
    ["directly in projects/", `projects/${uuid(2)}.jsonl`],
    ["whose extension is in capitals", `${SLUG}/${uuid(2)}.JSONL`],
    ["in a folder that is named like a log", `${SLUG}/${uuid(2)}.jsonl/${uuid(2)}.jsonl`],
    ["of which only a kept copy is left", `${SLUG}/${uuid(2)}.jsonl.bak`],
  ])("is a session: %s", async (_, path) => {
    const root = makeTree({ ...MAIN, [path]: [prompt("other")] });
    const catalog = await list(root);
    expect(listed(catalog).sort()).toEqual(["main", "other"]);
    expect(catalog.summaries().map(({ id }) => id)).toContain(uuid(2));
    expect(catalog.totals().recordsOutsideSessions).toBe(0);
  });

  it("keeps its id when it is moved within its project, or kept under another name", async () => {
    const root = makeTree({ ...MAIN, [`${SLUG}/${uuid(2)}.jsonl`]: [prompt("other")] });
    const catalog = await list(root);
    const ids = () => catalog.summaries().map(({ id }) => id);
    for (const [from, to] of [
      [`${uuid(2)}.jsonl`, `${uuid(2)}.jsonl.old`],
      [`${uuid(2)}.jsonl.old`, `${uuid(2)}/${uuid(2)}.jsonl`],
    ] as const) {
      mkdirSync(join(root, SLUG, to, ".."), { recursive: true });
      renameSync(join(root, SLUG, from), join(root, SLUG, to));
      await catalog.list();
      expect(ids()).toEqual([uuid(1), uuid(2)]);
    }
  });

  it("in its session's folder has the agents that lie there", async () => {
    const root = makeTree({
      [`${SLUG}/${uuid(2)}/${uuid(2)}.jsonl`]: [prompt("inner")],
      [`${SLUG}/${uuid(2)}/subagents/agent-a.jsonl`]: [sub("look")],
    });
    expect(listed(await list(root))).toEqual(["inner [a]"]);
  });

  it("is one session, and the copy in a named folder another", async () => {
    const root = makeTree({ ...MAIN, [`${SLUG}/old/${uuid(1)}.jsonl`]: [prompt("main, as it was")] });
    const catalog = await list(root);
    expect(listed(catalog)).toEqual(["main", "main, as it was"]);
    expect(new Set(catalog.summaries().map(({ id }) => id)).size).toBe(2);
  });

  it("of nothing but progress is a session", async () => {
    const progress = { type: "progress", uuid: "p", sessionId: uuid(2), cwd: "/home/dev/shop", data: {} };
    const root = makeTree({ [`${SLUG}/${uuid(2)}.jsonl`]: Array.from({ length: 500 }, () => progress) });
    expect(listed(await list(root))).toEqual(["Untitled session"]);
  });
});

describe("what is no session", () => {
  const named = (name: string) => `${SLUG}/${name}.jsonl`;

  it("is named by the doctor with its reason and counts", async () => {
    const root = makeTree({
      ...MAIN,
      [named("empty")]: [],
      [named("newlines")]: ["", "", ""],
      [named("garbage")]: ["\u0001\u0002 no record", "at all"],
      [named("snapshots")]: [{ type: "file-history-snapshot" }],
      [`${SLUG}/${uuid(1)}/subagents/workflows/wf_1/journal.jsonl`]: [{ type: "started" }],
    });
    writeFileSync(join(root, named("wide")), `\ufeff${toText([prompt("wide")])}`, "utf16le");
    expect(await told(root, "logs outside sessions")).toEqual([
      "-home-dev-shop/empty.jsonl: It is empty. 0 lines, 0 records, 0 B",
      expect.stringMatching(/garbage.jsonl: No line of it is a record. 2 lines, 0 records/),
      "-home-dev-shop/newlines.jsonl: It holds only empty lines. 3 lines, 0 records, 3 B",
      expect.stringMatching(/snapshots.jsonl: It holds only book-keeping .* 1 line, 1 record/),
      expect.stringMatching(/wide.jsonl: It is UTF-16 text; logs are UTF-8. .* 0 records/),
      expect.stringMatching(/journal.jsonl: The journal of a workflow, .* 1 line, 1 record/),
    ]);
    const { outside, filesOutside } = await new Doctor(await list(root), examine).whole(null);
    expect(outside.map(({ code }) => code)).toEqual([
      "empty",
      "no-records",
      "blank",
      "no-messages",
      "utf-16",
      "journal",
    ]);
    expect(filesOutside).toBe(6);
  });

  it("is named where it is not opened at all", async () => {
    const elsewhere = makeTree({ "secret.jsonl": [prompt("secret")], "folder/x.jsonl": [prompt("secret")] });
    const root = makeTree({
      ...MAIN,
      [`${SLUG}/${uuid(1)}.jsonl.bak`]: [prompt("main")],
      [`${SLUG}/${uuid(3)}.jsonl.gz`]: ["\u001f"],
      [`${SLUG}/memory/notes.jsonl`]: [prompt("a note")],
    });
    const at = (name: string) => join(root, SLUG, name);
    symlinkSync(join(elsewhere, "secret.jsonl"), at("out.jsonl"));
    symlinkSync(join(elsewhere, "folder"), at("out"));
    symlinkSync(join(elsewhere, "nowhere"), at("dangling.jsonl"));
    symlinkSync(at("loop.jsonl"), at("loop.jsonl"));
    symlinkSync(join(root, "projects"), at("up"));
    symlinkSync("/dev/zero", at("device.jsonl"));
    execFileSync("mkfifo", [at("pipe.jsonl")]);
    expect(listed(await list(root))).toEqual(["main"]);
    const lines = await told(root, "files not read");
    expect(
      lines
        .map((line) => line.replace(/^-home-dev-shop\//, "").split(". ")[0])
        .toSorted((a = "", b = "") => (a < b ? -1 : 1)),
    ).toEqual([
      "dangling.jsonl: A symbolic link that leads nowhere",
      "device.jsonl: A symbolic link leads out of the folder and is not followed",
      "log-1.jsonl.bak: A copy of the log beside it",
      "log-3.jsonl.gz: A packed log",
      "loop.jsonl: A symbolic link that leads back to itself or to a folder that holds it",
      "memory/notes.jsonl: It lies in memory/, where the client keeps notes, not logs",
      "out.jsonl: A symbolic link leads out of the folder and is not followed",
      "out: A symbolic link leads out of the folder and is not followed",
      "pipe.jsonl: It has a log’s name and is no regular file",
      "up: A symbolic link that leads back to itself or to a folder that holds it",
    ]);
    const { unread } = await new Doctor(await list(root), examine).whole(null);
    expect(unread.find(({ file }) => file.endsWith(".gz"))).toMatchObject({ code: "packed", bytes: 2 });
  });

  it("in a folder that has a log’s name is read, and the folder named", async () => {
    const root = makeTree({
      ...MAIN,
      [`${SLUG}/${uuid(2)}.jsonl/${uuid(3)}.jsonl`]: [prompt("inside")],
      [`${SLUG}/folder/${uuid(4)}.jsonl`]: [prompt("in another")],
    });
    symlinkSync(join(root, SLUG, "folder"), join(root, SLUG, "link.jsonl"));
    mkdirSync(join(root, "projects", "empty.jsonl"));
    expect(listed(await list(root)).toSorted()).toEqual(["in another", "inside", "main"]);
    const lines = await told(root, "files not read");
    expect(lines.map((line) => line.replace(/^-home-dev-shop\//, "").split(". ")[0])).toEqual([
      "log-2.jsonl: It has a log’s name and is a folder",
      "link.jsonl: It has a log’s name and is a folder",
      "empty.jsonl: It has a log’s name and is a folder",
    ]);
  });

  it.runIf(process.platform === "linux")("is named where its name is no UTF-8", async () => {
    const root = makeTree(MAIN);
    const bad = (name: string) =>
      Buffer.concat([Buffer.from(`${join(root, SLUG)}/`), Buffer.from([0xff]), Buffer.from(name)]);
    writeFileSync(bad(".jsonl"), toText([prompt("hidden")]));
    mkdirSync(bad("folder"));
    expect(await told(root, "files not read")).toEqual([
      expect.stringMatching(/^-home-dev-shop\/\ufffd.jsonl: Its name is not valid UTF-8/),
      expect.stringMatching(/^-home-dev-shop\/\ufffdfolder: Its name is not valid UTF-8/),
    ]);
  });
});
