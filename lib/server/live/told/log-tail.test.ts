import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { LogTail } from "./log-tail";

const RUNS = sampled(20_261_124, 60, 5_000);

let folder: string;
let log: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-tail-"));
  log = join(folder, "log.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const line = (type: "user" | "assistant", content: unknown, more: object = {}) => {
  const timestamp = new Date(1.7e12 + ++count * 1000).toISOString();
  const message = { role: type, id: `msg_${count}`, model: "claude-opus-4-5", content };
  return `${JSON.stringify({ type, uuid: `u${count}`, timestamp, message, ...more })}\n`;
};
const prompt = (text: string) => line("user", text);
const call = (id: string) =>
  line("assistant", [{ type: "tool_use", id, name: "Bash", input: { command: `run ${id}` } }]);
const result = (id: string, failed = false) =>
  line("user", [{ type: "tool_result", tool_use_id: id, content: "", is_error: failed }]);
const launch = (id: string) =>
  line("user", [{ type: "tool_result", tool_use_id: "t0", content: "" }], {
    toolUseResult: { status: "async_launched", agentId: id },
  });

type Step = { write: string; cut: number } | { truncate: number } | { rewrite: string } | { replace: string };

/** What is written comes in two parts, of which the first may end within a line. */
const halves = (step: Step): (Step | { write: string })[] => {
  if (!("write" in step)) return [step];
  const at = Math.floor(step.cut * step.write.length);
  return [{ write: step.write.slice(0, at) }, { write: step.write.slice(at) }];
};

const told = async (tail: LogTail) => {
  const { last, pending, calls, background, lastText } = await tail.read(folder, log);
  const ended = calls.map(({ id, failed }) => (failed ? `${id} failed` : id));
  return { last, lastText, open: pending.map(({ id }) => id), calls: ended, background };
};

describe("the end of a log that is written", () => {
  it("takes a first prompt that stands behind its answer for answered, whatever comes between them (2.1.170)", async () => {
    const node = (text: string, uuid: string, parentUuid: string | null) =>
      `${JSON.stringify({ ...JSON.parse(text), uuid, parentUuid })}\n`;
    const attachment = (uuid: string, parentUuid: string) =>
      node(JSON.stringify({ type: "attachment", attachment: { type: "date" } }), uuid, parentUuid);
    const answer = node(call("t1"), "a1", "x2");
    const late = [node(prompt("begin"), "p1", null), attachment("x1", "p1"), attachment("x2", "x1")];
    const asking = { last: "call", lastText: null, open: ["t1"], calls: ["t1"], background: [] };

    writeFileSync(log, answer + late.join(""));
    expect(await told(new LogTail())).toEqual(asking);
    writeFileSync(log, answer + late.toReversed().join(""));
    expect(await told(new LogTail())).toEqual(asking);
    // Line by line, the last of them without its newline at first.
    const tail = new LogTail();
    writeFileSync(log, answer);
    for (const part of late.flatMap((text) => [text.slice(0, -1), "\n"])) {
      await told(tail);
      appendFileSync(log, part);
    }
    expect(await told(tail)).toEqual(asking);

    appendFileSync(log, node(result("t1"), "r1", "a1") + node(prompt("another"), "p2", "r1"));
    expect(await told(tail)).toMatchObject({ last: "prompt", lastText: "another", open: [] });
    expect(await told(new LogTail())).toMatchObject({ last: "prompt", lastText: "another", open: [] });
  });

  it("takes a prompt for new though what comes before it in the log was not read", async () => {
    const cut = { parentUuid: "not here" };
    writeFileSync(log, line("assistant", [{ type: "text", text: "done" }], cut) + line("user", "go on", cut));
    expect(await told(new LogTail())).toMatchObject({ last: "prompt", lastText: "go on" });
  });

  it("tells of a long text its first words, on one line, and halves no character", async () => {
    writeFileSync(log, prompt(`see it\n${"🙂".repeat(300)}`));
    const { lastText } = await told(new LogTail());
    expect(lastText).toMatch(/^see it 🙂+…$/u);
    expect(lastText?.length).toBeLessThanOrEqual(200);
  });

  it("says after each change what a first reading says", async () => {
    type Step =
      | { write: string; cut: number }
      | { truncate: number }
      | { rewrite: string }
      | { replace: string };
    const id = fc.constantFrom("t1", "t2", "t3");
    const one = fc.oneof(
      fc.constantFrom("fix it", "test it").map((text) => () => prompt(text)),
      id.map((name) => () => call(name)),
      fc.tuple(id, fc.boolean()).map(
        ([name, failed]) =>
          () =>
            result(name, failed),
      ),
    );
    const lines = fc
      .array(one, { minLength: 1, maxLength: 4 })
      .map((all) => all.map((make) => make()).join(""));
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 6, arbitrary: fc.record({ write: lines, cut: fc.double({ min: 0, max: 1, noNaN: true }) }) },
      { weight: 1, arbitrary: fc.record({ truncate: fc.double({ min: 0, max: 1, noNaN: true }) }) },
      { weight: 1, arbitrary: fc.record({ rewrite: lines }) },
      { weight: 1, arbitrary: fc.record({ replace: lines }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const tail = new LogTail();
        let size = 0;
        writeFileSync(log, "");
        for (const one of steps.flatMap(halves)) {
          if ("write" in one) {
            appendFileSync(log, one.write);
            size += one.write.length;
          } else if ("truncate" in one) {
            size = Math.floor(one.truncate * size);
            truncateSync(log, size);
          } else {
            const text = "rewrite" in one ? one.rewrite : one.replace;
            const to = "rewrite" in one ? log : join(folder, "other.jsonl");
            writeFileSync(to, text);
            if (to !== log) renameSync(to, log);
            size = text.length;
          }
          expect(await told(tail)).toEqual(await told(new LogTail()));
        }
      }),
      RUNS,
    );
  });

  it("has no failure where a call was refused, or was stopped (2.1.170, 2.1.330)", async () => {
    const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    const ended = async (content: string, more: object = {}) => {
      const block = { type: "tool_result", tool_use_id: "a", content, is_error: true };
      writeFileSync(log, call("a") + line("user", [block], more));
      return (await told(new LogTail())).calls;
    };
    expect(await ended("Exit code 1")).toEqual(["a failed"]);
    expect(await ended("Command timed out after 2m")).toEqual(["a failed"]);
    expect(await ended(REFUSED)).toEqual(["a"]);
    const dialog = { toolDenialKind: "user-rejected", toolDenialBeforeRun: true };
    expect(await ended(REFUSED, dialog)).toEqual(["a"]);
    expect(await ended("[Tool call interrupted]", { toolDenialKind: "interrupted" })).toEqual(["a"]);
  });

  it("knows a call and an agent in the background from further up than a first reading looks", async () => {
    writeFileSync(log, prompt("test it") + launch("a1") + call("t1"));
    const tail = new LogTail();
    await told(tail);
    for (let n = 0; n < 40; n++) {
      appendFileSync(log, line("assistant", [{ type: "text", text: "x".repeat(8_000) }]));
      await told(tail);
    }
    expect(await told(tail)).toMatchObject({ open: ["t1"], background: ["a1"] });
    expect(await told(new LogTail())).toMatchObject({ open: [], background: [] });
  });

  it("finds the calls beside one that has just ended, however much was written since they began", async () => {
    // 2.1.29 and 2.1.42 write what a command has printed so far again and again.
    const data = { type: "bash_progress", fullOutput: "x".repeat(8_000) };
    const progress = `${JSON.stringify({ type: "progress", uuid: "p", parentToolUseID: "t2", data })}\n`;
    writeFileSync(log, prompt("go") + call("t1") + call("t2") + progress.repeat(40) + result("t1"));
    expect(await told(new LogTail())).toMatchObject({ last: "result", open: ["t2"] });
  });

  it("counts what was written to the cache where a client says its parts alone", async () => {
    const usage = {
      ...{ input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 1_000 },
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 40 },
    };
    const message = { role: "assistant", id: "msg", model: "claude-opus-4-5", content: [], usage };
    writeFileSync(log, `${JSON.stringify({ type: "assistant", uuid: "u", message })}\n`);
    expect((await new LogTail().read(folder, log)).contextTokens).toBe(1_243);
  });

  it("tells the context of an answer of several passes by what its last own one was sent", async () => {
    const pass = (read: number, written: number, type = "message") => {
      const counts = { input_tokens: 2, cache_read_input_tokens: read, cache_creation_input_tokens: written };
      return { type, ...counts };
    };
    const iterations = [pass(60_000, 1_000), pass(0, 90_000, "advisor_message"), pass(61_000, 500)];
    const usage = { ...pass(121_000, 1_500), input_tokens: 4, iterations };
    const message = { role: "assistant", id: "msg", model: "claude-haiku-4-5", content: [], usage };
    writeFileSync(log, `${JSON.stringify({ type: "assistant", uuid: "u", message })}\n`);
    expect((await new LogTail().read(folder, log)).contextTokens).toBe(61_502);
  });

  it("leaves what it has told as it was", async () => {
    writeFileSync(log, prompt("test it") + call("t1"));
    const tail = new LogTail();
    const before = await tail.read(folder, log);
    appendFileSync(log, result("t1", true) + call("t2"));
    await tail.read(folder, log);
    expect([before.calls.map(({ failed }) => failed), before.pending.length]).toEqual([[false], 1]);
  });

  it.each([
    ["written anew", (text: string) => writeFileSync(log, text)],
    ["written anew and much longer", (text: string) => writeFileSync(log, text + text.repeat(40_000))],
    [
      "replaced",
      (text: string) => {
        writeFileSync(`${log}.new`, text);
        renameSync(`${log}.new`, log);
      },
    ],
  ])("says nothing of the agents that were out in a log that was %s", async (_, write) => {
    const tail = new LogTail();
    writeFileSync(log, prompt("go on") + launch("a1"));
    expect((await told(tail)).background).toEqual(["a1"]);
    write(prompt("something else"));
    expect((await told(tail)).background).toEqual([]);
  });

  it("still says which agents are out when more was written since than is read", async () => {
    const tail = new LogTail();
    writeFileSync(log, prompt("go on") + launch("a1"));
    await tail.read(folder, log);
    appendFileSync(log, line("assistant", [{ type: "text", text: "x".repeat(1000) }]).repeat(4_000));
    expect((await told(tail)).background).toEqual(["a1"]);
  });
});
