import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAIN_LOG, openSearched } from "@/lib/testing/library/searched-lines";
import { answer, prompt } from "@/lib/testing/log-tree";
import type { SearchHit } from "@/lib/wire/search";

function report(word: string): string {
  return `<task-notification>
<task-id>${word}-id</task-id>
<output-file>/tmp/${word}.output</output-file>
<status>completed</status>
<summary>Agent "Look" finished</summary>
<result>${word} okapi</result>
</task-notification>`;
}

function enqueuedLine(content: string): Record<string, unknown> {
  return {
    type: "queue-operation",
    operation: "enqueue",
    timestamp: "2026-01-02T03:04:09.000Z",
    content,
  };
}

function queueOperation(name: string, more: object = {}): Record<string, unknown> {
  return { ...enqueuedLine(""), operation: name, content: undefined, ...more };
}

function queuedCommandLine(text: string, more: object = {}): Record<string, unknown> {
  return { type: "attachment", uuid: "q1", attachment: { type: "queued_command", prompt: text }, ...more };
}

describe.each([
  ["with an index", true],
  ["without one", false],
])("texts in the queue, %s", (_name, indexed) => {
  it("tells what work in the background reported from what a person asked, as its row does", async () => {
    const { told, all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("look for the okapi"),
          enqueuedLine(report("first")),
          prompt(report("first"), { uuid: "n1" }),
          enqueuedLine(report("second")),
          queuedCommandLine(report("third")),
        ],
      },
      indexed,
    );
    expect((await told("okapi")).sort()).toEqual([
      "prompt: for the [okapi]",
      "returned:  second [okapi] complet",
      "returned: d first [okapi] complet",
      "returned: d third [okapi] complet",
    ]);
    expect((await all("okapi in:returned")).map(({ snippet }) => snippet).toSorted()[0]).toBe(
      'Agent "Look" finished first okapi completed',
    );
    // Its ids and paths are of the line, and no part of what was reported; tags are found nowhere.
    expect(await told("first.output in:returned")).toEqual([]);
    expect(await told("first.output OR xmeta")).toEqual(["meta: id /tmp/[first.output]"]);
    expect((await all("task-notification")).filter(({ field }) => field === "returned")).toEqual([]);
    expect((await told("completed")).length).toBe(3);
  });

  it("finds a notification once, however often the log contains it, at its row", async () => {
    const removed = { ...enqueuedLine(report("once")), operation: "remove" };
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          enqueuedLine(report("once")),
          // 2.1.42 queues one twice.
          enqueuedLine(report("once")),
          removed,
          queuedCommandLine(report("once"), {
            rendered: [{ content: `<system-reminder>Not typed\n${report("once")}</system-reminder>` }],
          }),
          enqueuedLine(report("waiting")),
          enqueuedLine(report("waiting")),
        ],
      },
      indexed,
    );
    const kinds = (hits: SearchHit[]) => hits.map(({ recordId, field }) => `${recordId} ${field}`);
    const once = kinds(await all("once okapi"));
    expect(once).toHaveLength(1);
    expect(once[0]).toMatch(/ returned$/);
    // The fifth line.
    expect(kinds(await all("Not typed"))[0]).toBe(once[0]?.replace("returned", "meta"));
    expect(await all("waiting okapi")).toHaveLength(1);
    expect(await all("/waiting.okapi|once.okapi/")).toHaveLength(2);
  });

  it("follows a notification from the queue to its line while a log grows", async () => {
    const { path, catalog, scanner, all } = await openSearched(
      { [MAIN_LOG]: [prompt("go"), enqueuedLine(report("grown"))] },
      indexed,
    );
    const [queued] = await all("grown okapi");
    appendFileSync(join(path, MAIN_LOG), `${JSON.stringify(prompt(report("grown"), { uuid: "n1" }))}\n`);
    await catalog.list();
    const delivered = await all("grown okapi");
    expect(delivered).toHaveLength(1);
    expect(delivered[0]?.recordId).not.toBe(queued?.recordId);
    await scanner.run();
    expect((await all("grown okapi")).map(({ recordId }) => recordId)).toEqual([delivered[0]?.recordId]);
  });

  it("finds a prompt once that is in the queue and in a line of its own, at its row", async () => {
    const { all, told } = await openSearched(
      {
        [MAIN_LOG]: [
          // 2.0.42 and later, where the prompt is given at the start.
          enqueuedLine("count the okapis"),
          queueOperation("dequeue"),
          prompt("count the okapis", { uuid: "p1", timestamp: "2026-01-02T03:04:09.020Z" }),
          answer("twelve okapis", { uuid: "a1" }),
          // 2.1.110 and later: a prompt typed while the model worked.
          enqueuedLine("feed the okapis"),
          queueOperation("remove", { content: "feed the okapis" }),
          queuedCommandLine("feed the okapis", { uuid: "p2", timestamp: "2026-01-02T03:04:10.000Z" }),
          // Nothing tells that it was delivered.
          enqueuedLine("wash the okapis"),
          prompt("wash the okapis", { uuid: "p3", timestamp: "2026-01-02T03:04:11.000Z" }),
          // A command.
          enqueuedLine("/compact keep the okapis"),
          queueOperation("dequeue"),
          prompt(
            "<command-message>compact</command-message>\n<command-name>/compact</command-name>\n<command-args>keep the okapis</command-args>",
            { uuid: "p4", timestamp: "2026-01-02T03:04:12.000Z" },
          ),
        ],
      },
      indexed,
    );
    for (const words of ["count the", "feed the", "wash the", "keep the"]) {
      const hits = (await all(`${words} in:prompt`)).map(({ recordId }) => recordId);
      expect(hits, words).toHaveLength(1);
    }
    expect(await all("okapis in:prompt")).toHaveLength(4);
    expect(await all("/(count|feed|wash|keep) the/ in:prompt")).toHaveLength(4);
    const lines = Object.values(["count", "feed", "wash"]).map(async (word) => {
      const [hit] = await all(`${word} in:prompt`);
      return hit?.atMs && new Date(hit.atMs).toISOString().slice(17, 23);
    });
    expect(await Promise.all(lines)).toEqual(["09.020", "10.000", "11.000"]);
    // What else the queue's line says is still found.
    expect((await told("queue-operation OR xmeta")).length).toBeGreaterThan(0);
  });

  it("keeps a prompt that is only in the queue, even if the same is typed again", async () => {
    const { all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          answer("working", { uuid: "a1", timestamp: "2026-01-02T03:04:08.000Z" }),
          // 2.0.42–2.1.42: delivered, and no line of its own.
          enqueuedLine("feed the okapi"),
          queueOperation("remove"),
          ...["b1", "b2"].map((id) => ({
            ...answer("fed", { uuid: id, timestamp: "2026-01-02T03:05:00.000Z" }),
            message: { id, role: "assistant", content: [{ type: "text", text: "fed" }] },
          })),
          prompt("feed the okapi", { uuid: "p2", timestamp: "2026-01-02T04:00:00.000Z" }),
          // Taken back into the input box.
          enqueuedLine("sell the okapi"),
          queueOperation("popAll", { content: "sell the okapi" }),
        ],
      },
      indexed,
    );
    expect(await all("feed okapi in:prompt")).toHaveLength(2);
    expect(await all("sell okapi in:prompt")).toHaveLength(1);
  });

  it("follows a prompt from the queue to its line while a log grows", async () => {
    const { path, catalog, scanner, all } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          enqueuedLine("feed the okapi"),
          prompt("feed the okapi", { uuid: "p2", timestamp: "2026-01-02T03:04:09.020Z" }),
          enqueuedLine("feed the okapi"),
        ],
      },
      indexed,
    );
    const ids = async () => (await all("feed okapi in:prompt")).map(({ recordId }) => recordId).toSorted();
    const queued = await ids();
    expect(queued).toHaveLength(2);
    const line = { ...queuedCommandLine("feed the okapi"), timestamp: "2026-01-02T03:04:10.000Z" };
    appendFileSync(
      join(path, MAIN_LOG),
      [queueOperation("remove", { content: "feed the okapi" }), line, enqueuedLine("sell the okapi")]
        .map((json) => `${JSON.stringify(json)}\n`)
        .join(""),
    );
    await catalog.list();
    const delivered = await ids();
    expect(delivered).toHaveLength(2);
    expect(delivered).not.toEqual(queued);
    expect(await all("sell okapi in:prompt")).toHaveLength(1);
    await scanner.run();
    expect(await ids()).toEqual(delivered);
    appendFileSync(join(path, MAIN_LOG), `${JSON.stringify(queueOperation("dequeue"))}\n`);
    await catalog.list();
    await scanner.run();
    const sold = await all("sell okapi in:prompt");
    expect(sold).toHaveLength(1);
    const own = prompt("sell the okapi", { uuid: "p5", timestamp: "2026-01-02T03:04:09.040Z" });
    appendFileSync(join(path, MAIN_LOG), `${JSON.stringify(own)}\n`);
    await catalog.list();
    const last = await all("sell okapi in:prompt");
    expect(last).toHaveLength(1);
    expect(last[0]?.recordId).not.toBe(sold[0]?.recordId);
    await scanner.run();
    expect((await all("sell okapi in:prompt")).map(({ recordId }) => recordId)).toEqual([last[0]?.recordId]);
  });

  it("finds what a line in the queue says of itself, whether its text was delivered or not", async () => {
    const { told } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          { ...enqueuedLine("/greet Ada"), note: "a quagga note" },
          prompt("<command-name>/greet</command-name><command-args>Ada</command-args>", { uuid: "p2" }),
          { ...enqueuedLine(report("bongo")), note: "a tapir note" },
          { ...prompt(report("bongo")), uuid: "p3" },
          { ...enqueuedLine(report("kudu")), note: "a dikdik note" },
        ],
      },
      indexed,
    );
    expect(await told("quagga OR meta")).toEqual(["meta: a [quagga] note"]);
    expect(await told("tapir OR meta")).toEqual(["meta: a [tapir] note"]);
    expect(await told("dikdik OR meta")).toEqual(["meta: a [dikdik] note"]);
    expect(await told("bongo")).toHaveLength(1);
    expect(await told("enqueue OR meta")).toHaveLength(1);
  });
});
