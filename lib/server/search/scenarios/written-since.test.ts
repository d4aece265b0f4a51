import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AGENT_LOG,
  callLine,
  MAIN_LOG,
  openSearched,
  resultLine,
} from "@/lib/testing/library/searched-lines";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";

const LONG = "filler ".repeat(2000);

describe.each([
  ["with an index", true],
  ["without one", false],
])("lines written since they were read, %s", (_name, indexed) => {
  it("finds lines that were written since the log was indexed", async () => {
    const { path, told, catalog } = await openSearched({ [MAIN_LOG]: [prompt("go")] }, indexed);
    const written = [answer("a late pelican"), callLine("Bash", { command: "feed the ibex" })];
    appendFileSync(join(path, MAIN_LOG), toText(written));
    await catalog.list();
    expect(await told("pelican")).toEqual(["text: a late [pelican]"]);
    expect(await told("ibex in:input")).toEqual(["input: eed the [ibex]"]);
  });

  it("finds with filters lines that were written since the session was scanned", async () => {
    const { path, told, catalog, scanner } = await openSearched({ [MAIN_LOG]: [prompt("go")] }, indexed);
    const later = { timestamp: "2026-02-03T04:05:06.000Z" };
    const written = [
      callLine("Bash", { command: "feed the ibex" }),
      resultLine("no ibex", { is_error: true }),
      callLine("Task", { description: "look", prompt: "look", subagent_type: "Explore" }, "toolu_2"),
      resultLine("done", {}, "toolu_2"),
      prompt("look", { uuid: "s0", isSidechain: true }),
      answer("an agent's ibex", { isSidechain: true, parentUuid: "s0", ...later }),
    ];
    appendFileSync(join(path, MAIN_LOG), toText(written));
    await catalog.list();
    const found = async () => ({
      tool: await told("ibex tool:Bash in:input"),
      error: await told("ibex is:error in:output"),
      agent: (await told("ibex agent:Explore")).map((hit) => hit.replace(/^agent \S+ /, "")),
      after: (await told("ibex after:2026-02-01")).map((hit) => hit.replace(/^agent \S+ /, "")),
    });
    const all = {
      tool: ["input: eed the [ibex]"],
      error: ["output: no [ibex]"],
      agent: ["text: agent's [ibex]"],
      after: ["text: agent's [ibex]"],
    };
    expect(await found()).toEqual(all);
    await scanner.run();
    expect(await found()).toEqual(all);
  });

  it("finds by time what an agent wrote after its session's last line, and what is older than its first", async () => {
    const inAgent = { isSidechain: true, agentId: "a1", sessionId: uuid(1) };
    // Longer than what a listing reads of a log's beginning and end.
    const filler = Array.from({ length: 40 }, (_, at) =>
      answer(`${LONG}${at}`, { timestamp: "2026-01-02T03:04:06.000Z" }),
    );
    const { told } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          ...filler,
          answer("an early ibex", { timestamp: "2025-12-24T00:00:00.000Z" }),
          ...filler,
          callLine("Agent", { prompt: "look", description: "look" }),
          resultLine("Async agent launched successfully."),
        ],
        [AGENT_LOG]: [
          prompt("look", inAgent),
          answer("a late ibex", { ...inAgent, timestamp: "2026-01-05T00:00:00.000Z" }),
        ],
      },
      indexed,
    );
    expect(await told("ibex after:2026-01-04")).toEqual(["agent a1 text: a late [ibex]"]);
    expect(await told("ibex -before:2026-01-04")).toEqual(["agent a1 text: a late [ibex]"]);
    expect(await told("ibex before:2026-01-01")).toEqual(["text: n early [ibex]"]);
    expect(await told("ibex after:2026-01-06")).toEqual([]);
    expect(await told("ibex before:2025-12-01")).toEqual([]);
  });
});
