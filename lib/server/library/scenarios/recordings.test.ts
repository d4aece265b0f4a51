import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { fixtureFolder } from "@/lib/testing/recorded";

const FIXTURES = fixtureFolder();

async function transcript(version: string): Promise<string[]> {
  const catalog = new Catalog([{ path: `${FIXTURES}/${version}`, kind: "config" }]);
  await catalog.list();
  expect(catalog.warnings).toEqual([]);
  return catalog
    .summaries()
    .map(({ id, title, titleSource }) => {
      const { projectPath, agents } = catalog.sessionFiles(id);
      const own = agents.filter((agent) => !agent.warmUp).length;
      return `${projectPath.replace("/home/dev/", "")}: ${title.slice(0, 40)} (${titleSource}${own > 0 ? `, ${own} agents` : ""})`;
    })
    .filter((line) => /^(tui-basic|tui-agents|e😀x|shop:.*workflow)/u.test(line))
    .sort();
}

describe("recorded sessions", () => {
  it("1.0.128: agents inside the main log", async () => {
    expect(await transcript("1.0.128")).toEqual([
      "e😀x: Please do it. SCENARIO:hello (prompt)",
      "tui-agents: Delegate. SCENARIO:task-parallel (prompt)",
      "tui-basic: After the clear. SCENARIO:hello (prompt)",
      "tui-basic: What is this? SCENARIO:hello (prompt)",
    ]);
  });

  it("2.0.76: agents beside the main log, warm-ups among them", async () => {
    expect(await transcript("2.0.76")).toEqual([
      "e😀x: Please do it. SCENARIO:hello (prompt)",
      "tui-agents: Delegate. SCENARIO:task-parallel (prompt, 3 agents)",
      "tui-basic: What is this? SCENARIO:hello (prompt)",
      "tui-basic: my renamed session (custom)",
    ]);
  });

  it("2.1.330: agents under the session's folder, a workflow's among them", async () => {
    expect(await transcript("2.1.330")).toEqual([
      "e😀x: Please do it. SCENARIO:hello (prompt)",
      "shop: Please do it. SCENARIO:workflow (prompt, 3 agents)",
      "tui-agents: Delegate. SCENARIO:task-parallel (prompt, 3 agents)",
      "tui-basic: What is this? SCENARIO:hello (prompt)",
      "tui-basic: my renamed session (custom)",
    ]);
  });

  it("lists sessions of every version, each with a path and a time from its records", async () => {
    for (const version of readdirSync(FIXTURES).filter((name) => /^\d/.test(name))) {
      const catalog = new Catalog([{ path: `${FIXTURES}/${version}`, kind: "config" }]);
      await catalog.list();
      expect(catalog.summaries().length, version).toBeGreaterThan(0);
      expect(
        catalog.projects().filter((project) => project.pathGuessed),
        version,
      ).toEqual([]);
      expect(
        catalog.summaries().filter((session) => session.startedAtMs === null),
        version,
      ).toEqual([]);
    }
  });
});
