import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RootFolder } from "@/lib/server/runtime/config";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import { Catalog } from "./catalog";

async function list(...roots: RootFolder[]): Promise<Catalog> {
  const catalog = new Catalog(roots);
  await catalog.list();
  return catalog;
}

const config = (path: string): RootFolder => ({ path, kind: "config" });
const loose = (path: string): RootFolder => ({ path, kind: "loose" });

/** `path: title [agents]`, in the order listed. */
function transcript(catalog: Catalog): string[] {
  return catalog.summaries().map(({ id, title }) => {
    const { projectPath, agents } = catalog.sessionFiles(id);
    return `${projectPath}: ${title}${agents.map((agent) => ` [${agent.agentId}]`).join("")}`;
  });
}

describe("two listings at once", () => {
  it("keep a session that the later one has found, although the earlier one ends last", async () => {
    const slug = "projects/-home-dev-shop";
    const root = makeTree({ [`${slug}/${uuid(1)}.jsonl`]: [prompt("one")] });
    const catalog = await list(config(root));
    const [known] = catalog.summaries();
    const load = catalog.facts.load.bind(catalog.facts);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((listed) => {
      catalog.facts.load = async (...of) => {
        catalog.facts.load = load;
        listed();
        await new Promise<void>((go) => (goOn = go));
        return load(...of);
      };
    });
    const slow = catalog.list();
    await held;
    writeFileSync(join(root, `${slug}/${uuid(2)}.jsonl`), toText([prompt("two")]));
    await catalog.refresh(known?.id as SessionId);
    const both = ["/home/dev/shop: one", "/home/dev/shop: two"];
    expect(transcript(catalog)).toEqual(both);
    goOn();
    await slow;
    expect(transcript(catalog)).toEqual(both);
    rmSync(join(root, `${slug}/${uuid(2)}.jsonl`));
    await catalog.list();
    expect(transcript(catalog)).toEqual(both.slice(0, 1));
  });
});

describe("a config folder", () => {
  it("lists what holds a message, and counts the lines of what does not", async () => {
    const slug = "projects/-home-dev-shop";
    const catalog = await list(
      config(
        makeTree({
          [`${slug}/${uuid(1)}.jsonl`]: [prompt("fix it")],
          [`${slug}/${uuid(2)}.jsonl`]: [],
          [`${slug}/${uuid(3)}.jsonl`]: [{ type: "queue-operation" }, { type: "queue-operation" }],
          [`${slug}/${uuid(4)}.jsonl`]: [{ type: "file-history-snapshot" }],
          [`${slug}/${uuid(5)}.jsonl`]: [{ type: "summary", summary: "s", leafUuid: "elsewhere" }],
          [`${slug}/${uuid(1)}/subagents/workflows/wf_1/journal.jsonl`]: [
            { type: "started" },
            { type: "result" },
          ],
          [`${slug}/${uuid(1)}/subagents/workflows/wf_1/agent-a1.jsonl`]: [prompt("sub")],
          [`${slug}/${uuid(1)}/tool-results/notes.jsonl`]: [prompt("not a log")],
          [`${slug}/memory/x.jsonl`]: [prompt("not a session")],
        }),
      ),
    );
    expect(transcript(catalog)).toEqual(["/home/dev/shop: fix it [a1]"]);
    expect(catalog.totals()).toMatchObject({ filesTotal: 2, recordsOutsideSessions: 6 });
    expect(catalog.warnings).toEqual([]);
  });

  it("keeps unchanged sessions as the same objects, and replaces those that have changed", async () => {
    const log = (n: number) => `projects/-a/${uuid(n)}.jsonl`;
    const agent = `projects/-a/${uuid(2)}/subagents/agent-a1`;
    const root = makeTree({
      [log(1)]: [prompt("one")],
      [log(2)]: [prompt("two")],
      [log(3)]: [prompt("three", { uuid: "u3" })],
      [`${agent}.jsonl`]: [prompt("sub", { isSidechain: true })],
    });
    const catalog = await list(config(root));
    const changed = async (change: () => void) => {
      const before = new Map(catalog.summaries().map((summary) => [summary.id, summary]));
      change();
      await catalog.list();
      return catalog.summaries().flatMap(({ id }) => {
        const isSame = before.get(id) === catalog.summary(id);
        return isSame ? [] : [Number(id.slice(-1))];
      });
    };
    expect(await changed(() => undefined)).toEqual([]);
    expect(await changed(() => appendFileSync(join(root, log(1)), toText([answer("late")])))).toEqual([1]);
    expect(await changed(() => writeFileSync(join(root, `${agent}.meta.json`), "{}"))).toEqual([2]);
    const summary = { type: "summary", summary: "A title", leafUuid: "u3" };
    expect(await changed(() => writeFileSync(join(root, log(4)), toText([summary])))).toEqual([3]);
    expect(catalog.summary(uuid(3) as SessionId).title).toBe("A title");
  });

  it("says what is wrong with a folder also while it is listed again", async () => {
    const root = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("one")] });
    const gone = join(root, "gone");
    const catalog = new Catalog([
      { path: gone, kind: "config" },
      { path: root, kind: "config" },
    ]);
    const told = () => catalog.warnings.map(({ code }) => code);
    await catalog.list();
    expect(told()).toEqual(["root-missing"]);
    const listing = catalog.list();
    expect(told()).toEqual(["root-missing"]);
    mkdirSync(join(gone, "projects"), { recursive: true });
    await listing;
    await catalog.list();
    expect(told()).toEqual([]);
  });

  it("treats two working directories that share a folder as two projects", async () => {
    const catalog = await list(
      config(
        makeTree({
          [`projects/-home-dev-a-b/${uuid(1)}.jsonl`]: [prompt("one", { cwd: "/home/dev/a-b" })],
          [`projects/-home-dev-a-b/${uuid(2)}.jsonl`]: [
            prompt("two", { cwd: "/home/dev/a/b" }),
            prompt("moved", { cwd: "/tmp/worktree" }),
          ],
          [`projects/-home-dev-a-b/${uuid(3)}.jsonl`]: [{ ...prompt("three"), cwd: undefined }],
          [`projects/-home-dev-c/${uuid(4)}.jsonl`]: [{ ...prompt("four"), cwd: undefined }],
        }),
      ),
    );
    expect(
      catalog.projects().map((one) => `${one.path} ${one.sessions}${one.pathGuessed ? " guessed" : ""}`),
    ).toEqual(["/home/dev/a-b 2", "/home/dev/a/b 1", "/home/dev/c 1 guessed"]);
  });

  it("treats a folder of Windows as one project, however the letter of its drive is written", async () => {
    const cwds = ["c:\\Users\\dev\\shop", "C:\\Users\\dev\\shop", "C:\\Users\\dev\\Shop2"];
    const files = cwds.map((cwd, n) => [
      `projects/c--Users-dev-shop/${uuid(n)}.jsonl`,
      [prompt(`p${n}`, { cwd })],
    ]);
    const catalog = await list(config(makeTree(Object.fromEntries(files))));
    expect(catalog.projects().map(({ path, sessions }) => `${path} ${sessions}`)).toEqual([
      "C:\\Users\\dev\\Shop2 1",
      "C:\\Users\\dev\\shop 2",
    ]);
  });

  it("gives an agent beside the main logs (2.0.x) to the session that its lines name", async () => {
    const slug = "projects/-home-dev-shop";
    const catalog = await list(
      config(
        makeTree({
          [`${slug}/${uuid(1)}.jsonl`]: [prompt("one")],
          [`${slug}/${uuid(2)}.jsonl`]: [prompt("two")],
          [`${slug}/agent-aa.jsonl`]: [
            prompt("Warmup", { sessionId: uuid(9) }),
            answer("ok", { sessionId: uuid(2) }),
          ],
          [`${slug}/agent-bb.jsonl`]: [answer("found it", { sessionId: uuid(1) })],
          [`${slug}/agent-cc.jsonl`]: [answer("nobody's", { sessionId: uuid(8) })],
        }),
      ),
    );
    expect(transcript(catalog)).toEqual([
      "/home/dev/shop: one [bb]",
      "/home/dev/shop: two [aa]",
      "/home/dev/shop: Agents of a session whose log is gone [cc]",
    ]);
    expect(catalog.sessionFiles(uuid(2) as SessionId).agents[0]?.warmUp).toBe(true);
    expect(catalog.totals().recordsOutsideSessions).toBe(0);
  });

  it("reads the legacy conversations folder", async () => {
    const log = [{ ...prompt("old"), cwd: undefined }];
    const catalog = await list(config(makeTree({ [`conversations/_home_dev_shop/${uuid(1)}.jsonl`]: log })));
    expect(transcript(catalog)).toEqual(["/home/dev/shop: old"]);
  });

  it("says why there is nothing to list", async () => {
    const catalog = await list(config(makeTree({ "settings.jsonl": [] })), config("/nowhere/at/all"));
    expect(catalog.warnings.map((warning) => warning.code)).toEqual(["no-projects", "root-missing"]);
    // As on a machine where the client has not run yet.
    expect(catalog.warnings[1]).toMatchObject({
      path: "/nowhere/at/all",
      hint: expect.stringContaining("with its first session"),
    });
  });
});

describe("titles", () => {
  it("come from the custom title, the generated one, a summary of any log, or the first prompt", async () => {
    const slug = "projects/-home-dev-shop";
    const catalog = await list(
      config(
        makeTree({
          [`${slug}/${uuid(1)}.jsonl`]: [
            prompt("p1"),
            { type: "custom-title", customTitle: "first name" },
            { type: "custom-title", customTitle: "last name" },
            { type: "ai-title", aiTitle: "generated" },
          ],
          [`${slug}/${uuid(2)}.jsonl`]: [prompt("p2"), { type: "ai-title", aiTitle: "generated" }],
          [`${slug}/${uuid(3)}.jsonl`]: [
            { type: "summary", summary: "of four", leafUuid: "a-end" },
            prompt("p3"),
          ],
          [`${slug}/${uuid(4)}.jsonl`]: [prompt("p4"), answer("end")],
          [`${slug}/${uuid(5)}.jsonl`]: [answer("no prompt")],
          // Nothing would be seen of these names.
          [`${slug}/${uuid(6)}.jsonl`]: [
            prompt("p6"),
            { type: "custom-title", customTitle: "\u3164" },
            { type: "ai-title", aiTitle: "\u0007\u200b" },
          ],
        }),
      ),
    );
    expect(catalog.summaries().map((one) => `${one.titleSource}: ${one.title}`)).toEqual([
      "custom: last name",
      "ai: generated",
      "prompt: p3",
      "summary: of four",
      "none: Untitled session",
      "prompt: p6",
    ]);
  });

  it("are what was typed and never sent, where a hook refused it (2.0.25, 2.1.15, 2.1.220 and later)", async () => {
    const refused = (text: string) => ({
      type: "system",
      subtype: "informational",
      uuid: "s1",
      cwd: "/home/dev/shop",
      timestamp: "2026-01-02T03:04:06.000Z",
      content: `UserPromptSubmit operation blocked by hook:\n[check]: unwanted${text}`,
    });
    const titled = async (...lines: Record<string, unknown>[]) => {
      const log = { [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: lines };
      const catalog = await list(config(makeTree(log)));
      return catalog.summaries().map((one) => `${one.titleSource}: ${one.title}`);
    };
    const shipIt = refused("\n\n\nOriginal prompt: ship\n it");
    expect(await titled(shipIt)).toEqual(["prompt: ship it"]);
    expect(await titled(shipIt, prompt("p1"), answer("end"))).toEqual(["prompt: p1"]);
    expect(await titled(refused(""))).toEqual(["none: Untitled session"]);
  });

  it("are no error that came in the place of a summary (1.0.128 to 2.0.10)", async () => {
    const slug = "projects/-home-dev-shop";
    const summary = (text: string) => ({ type: "summary", summary: text, leafUuid: "a-end" });
    const titled = async (...lines: ReturnType<typeof summary>[]) => {
      const log = [prompt("p1"), answer("end")];
      const tree = { [`${slug}/${uuid(1)}.jsonl`]: log, [`${slug}/${uuid(2)}.jsonl`]: lines };
      return (await list(config(makeTree(tree)))).summaries().map((one) => one.title);
    };
    for (const error of [
      "API Error: terminated",
      "Invalid API key · Fix external API key",
      "Prompt is too long",
    ])
      expect(await titled(summary(error)), error).toEqual(["p1"]);
    expect(await titled(summary("A title"), summary("API Error: terminated"))).toEqual(["A title"]);
    expect(await titled(summary("API errors are told"))).toEqual(["API errors are told"]);
  });
});

describe("loose logs", () => {
  it("finds them in folders of any shape, agents without a session included", async () => {
    const root = makeTree({
      "deep/er/my notes.jsonl": [prompt("noted")],
      [`saved/${uuid(1)}.jsonl`]: [prompt("saved")],
      [`saved/${uuid(1)}/subagents/agent-a1.jsonl`]: [prompt("sub")],
      [`lost/${uuid(2)}/subagents/agent-a2.jsonl`]: [prompt("alone", { agentId: "a2" })],
      "saved/history.jsonl": [{ display: "not a log" }],
    });
    symlinkSync(root, join(root, "deep", "loop"));
    const catalog = await list(loose(root));
    expect(transcript(catalog).sort()).toEqual([
      "/home/dev/shop: alone [a2]",
      "/home/dev/shop: noted",
      "/home/dev/shop: saved [a1]",
    ]);
    expect(catalog.summaries().find((one) => one.title === "noted")?.id).toMatch(/^my-notes-[0-9a-f]{6}$/);
  });

  it("reads one named log with its agents, and nothing beside it", async () => {
    const root = makeTree({
      [`${uuid(1)}.jsonl`]: [prompt("named")],
      [`${uuid(1)}/subagents/agent-a1.jsonl`]: [prompt("sub")],
      [`${uuid(2)}.jsonl`]: [prompt("beside")],
      "agent-x.jsonl": [prompt("beside", { sessionId: uuid(2) })],
    });
    expect(transcript(await list(loose(join(root, `${uuid(1)}.jsonl`))))).toEqual([
      "/home/dev/shop: named [a1]",
    ]);
  });
});

describe("links", () => {
  it("follows none that leaves the root, and says so", async () => {
    const outside = makeTree({ "secret/x.jsonl": [prompt("secret")], "one.jsonl": [prompt("secret")] });
    const root = makeTree({ [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt("mine")] });
    const slug = join(root, "projects/-home-dev-shop");
    symlinkSync(join(outside, "secret"), join(root, "projects/-home-dev-linked"));
    symlinkSync(join(outside, "one.jsonl"), join(slug, `${uuid(2)}.jsonl`));
    symlinkSync(join(slug, `${uuid(1)}.jsonl`), join(slug, `${uuid(3)}.jsonl`));
    const catalog = await list(config(root));
    expect(transcript(catalog)).toEqual(["/home/dev/shop: mine"]);
    expect(catalog.warnings.map((warning) => warning.code)).toEqual(["link-leaves-root", "link-leaves-root"]);
  });
});

describe("ids", () => {
  it("are the log's UUID, with a suffix where two folders hold the same one", async () => {
    const one = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("one")] });
    const two = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("two")] });
    const catalog = await list(config(one), config(two), config(one));
    const ids = catalog.summaries().map((session) => session.id);
    expect(ids[0]).toBe(uuid(1));
    expect(ids[1]).toMatch(new RegExp(`^${uuid(1)}-[0-9a-f]{6}$`));
    expect(ids).toHaveLength(2);
  });
});

describe("change", () => {
  it("shows new, grown and deleted logs, and keeps ids", async () => {
    const slug = "projects/-home-dev-shop";
    const root = makeTree({
      [`${slug}/${uuid(1)}.jsonl`]: [prompt("one")],
      [`${slug}/${uuid(2)}.jsonl`]: [prompt("two")],
    });
    const catalog = await list(config(root));
    const id = uuid(1) as SessionId;
    const before = catalog.sessionFiles(id).main.bytes;

    appendFileSync(join(root, slug, `${uuid(1)}.jsonl`), toText([answer("more")]));
    mkdirSync(join(root, slug, uuid(1), "subagents"), { recursive: true });
    writeFileSync(join(root, slug, uuid(1), "subagents", "agent-a9.jsonl"), toText([prompt("sub")]));
    const files = await catalog.refresh(id);
    expect(files.main.bytes).toBeGreaterThan(before);
    expect(files.agents.map((agent) => agent.name)).toEqual([`${uuid(1)}/subagents/agent-a9.jsonl`]);

    rmSync(join(root, slug, `${uuid(2)}.jsonl`));
    writeFileSync(join(root, slug, `${uuid(3)}.jsonl`), toText([prompt("three")]));
    renameSync(join(root, slug), join(root, "projects/-home-dev-renamed"));
    await catalog.list();
    expect(catalog.summaries().map((one) => one.title)).toEqual(["one", "three"]);
    expect(() => catalog.sessionFiles(uuid(2) as SessionId)).toThrow("Session not found");
  });

  it("knows which sessions are due for a scan", async () => {
    const slug = "projects/-home-dev-shop";
    const root = makeTree({
      [`${slug}/${uuid(1)}.jsonl`]: [prompt("older", { timestamp: "2025-01-01T00:00:00Z" })],
      [`${slug}/${uuid(2)}.jsonl`]: [prompt("newer", { timestamp: "2026-01-01T00:00:00Z" })],
    });
    const catalog = await list(config(root));
    expect(catalog.due()).toEqual([uuid(2), uuid(1)]);
    const numbers = {
      ...UNKNOWN_FIGURES,
      turns: 1,
      tokens: 5,
      activity: null,
      cost: null,
    };
    const id = uuid(2) as SessionId;
    catalog.setNumbers(id, numbers, catalog.summary(id).bytes);
    expect(catalog.summary(id)).toMatchObject({ title: "newer", turns: 1, tokens: 5, indexed: true });
    expect(catalog.due()).toEqual([uuid(1)]);
    expect(catalog.totals()).toMatchObject({ filesDone: 1, filesTotal: 2 });

    appendFileSync(join(root, slug, `${uuid(2)}.jsonl`), toText([answer("more")]));
    await catalog.list();
    expect(catalog.due()).toEqual([uuid(2), uuid(1)]);
    expect(catalog.summary(id).turns).toBe(1);
  });
});
