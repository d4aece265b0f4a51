import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { SessionId } from "@/lib/wire/ids";
import { listExtras, readExtra } from "./session-extras";

const FIXTURES = fixtureFolder("older");
const BEACON = "0b000000-0000-4000-8000-00000000bbb1" as SessionId;

async function surroundings(path: string, id: SessionId) {
  const catalog = new Catalog([{ path, kind: "config" }]);
  await catalog.list();
  return catalog.surroundings(id);
}

async function listed(path: string, id: SessionId): Promise<string[]> {
  const { extras } = await listExtras(await surroundings(path, id));
  return extras.map(({ kind, name, bytes }) => `${kind}: ${name}, ${bytes} bytes`);
}

describe("what lies beside a session", () => {
  it("is found by plan name, session and project", async () => {
    expect(await listed(FIXTURES, BEACON)).toEqual([
      "plan: plans/patient-tuning-hopper-agent-a0b1c2d.md, 20 bytes",
      "plan: plans/patient-tuning-hopper.md, 43 bytes",
      `todos: todos/${BEACON}-agent-${BEACON}.json, 72 bytes`,
      `task: tasks/${BEACON}/1.json, 53 bytes`,
      "memory: -home-dev-beacon/memory/MEMORY.md, 32 bytes",
      `file-history: file-history/${BEACON}/094de626321f00d3@v1, 13 bytes`,
      "history: history.jsonl, 154 bytes",
    ]);
  });

  it("is readable", async () => {
    const around = await surroundings(FIXTURES, BEACON);
    const { extras } = await listExtras(around);
    const texts = await Promise.all(
      extras.map(async ({ id }) => (await readExtra(around, id)).text.text.split("\n")[0]),
    );
    expect(texts).toEqual([
      "# Plan of the agent",
      "# Plan",
      '[{"content": "Rename", "status": "completed", "activeForm": "Renaming"}]',
      '{"id": "1", "subject": "Deploy", "status": "pending"}',
      "The login is called log_in now.",
      "def login():",
      expect.stringContaining('"display":"Fix the login"'),
    ]);
  });

  it("finds typed lines that name no session by folder and time (1.0.128)", async () => {
    const widgets = "0a000000-0000-4000-8000-00000000aaa2" as SessionId;
    const around = await surroundings(FIXTURES, widgets);
    const { extras } = await listExtras(around);
    const [history] = extras.filter((extra) => extra.kind === "history");
    expect((await readExtra(around, history?.id ?? "")).text.text).toBe(
      '{"display":"Rename the widgets","pastedContents":{},"timestamp":1767520801000,"project":"/home/dev/widgets"}\n',
    );
  });

  it("is cut at 1 MiB, between characters", async () => {
    const root = makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt("hello", { slug: "long-plan" })],
    });
    mkdirSync(join(root, "plans"));
    writeFileSync(join(root, "plans", "long-plan.md"), `x${"é".repeat(1 << 20)}`);
    const around = await surroundings(root, uuid(1) as SessionId);
    const { extras } = await listExtras(around);
    const { text } = await readExtra(around, extras[0]?.id ?? "");
    expect({ ...text, text: text.text.length, end: text.text.at(-1) }).toEqual({
      text: 524_288,
      cut: true,
      length: 2_097_153,
      end: "é",
    });
  });

  it("is never required, and never outside", async () => {
    const root = makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt("hello", { slug: "plan" })],
    });
    const secret = makeTree({ "secret.md": ["secret"] });
    expect(await listed(root, uuid(1) as SessionId)).toEqual([]);
    symlinkSync(secret, join(root, "plans"));
    symlinkSync(join(secret, "secret.md"), join(root, "history.jsonl"));
    expect(await listed(root, uuid(1) as SessionId)).toEqual([]);
    await expect(readExtra(await surroundings(root, uuid(1) as SessionId), "0".repeat(12))).rejects.toThrow(
      "no such file",
    );
  });
});
