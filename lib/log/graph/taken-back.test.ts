import { describe, expect, test } from "vitest";
import { at } from "@/lib/log/table/table";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { pathSteps } from "./branches";
import { IncrementalGraph } from "./incremental-graph";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];

let second = 0;
const line = (uuid: string, parentUuid: string | null, json: Json): Json => ({
  uuid,
  parentUuid,
  timestamp: new Date(1.7e12 + second++ * 1000).toISOString(),
  ...json,
});
const says = (uuid: string, parentUuid: string | null, content: unknown = `prompt ${uuid}`) =>
  line(uuid, parentUuid, { type: "user", message: { content } });
const answers = (uuid: string, parentUuid: string) =>
  line(uuid, parentUuid, {
    type: "assistant",
    message: { id: `m-${uuid}`, content: [{ type: "text", text: uuid }] },
  });
const adds = (uuid: string, parentUuid: string) =>
  line(uuid, parentUuid, { type: "attachment", attachment: { type: "environment" } });
const took = (uuid: string, parentUuid: string) =>
  line(uuid, parentUuid, { type: "system", subtype: "turn_duration", durationMs: 5 });
const command = (uuid: string, parentUuid: string) =>
  line(uuid, parentUuid, {
    type: "system",
    subtype: "local_command",
    content: "<command-name>/cost</command-name>",
  });

/** The branches of the main thread by the uuids of their lines, and the prompts that were taken back. */
function shown(...lines: Json[]) {
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const nameOf = (record: number) => String(lines[record]?.uuid);
  const { steps, branches, takenBack } = buildGraph(table, LOGS);
  return {
    branches: (branches[0] ?? []).map(({ leaf }) =>
      pathSteps(steps, leaf)
        .map((step) => nameOf(at(steps.first, step)))
        .join(" "),
    ),
    takenBack: [...takenBack].map(nameOf),
  };
}

const START = [says("a", null), answers("b", "a"), took("c", "b")];

describe("a prompt that Escape took back", () => {
  test("is no branch: what was typed next follows it, as often as it was (2.1.90, 2.1.170, 2.1.332)", () => {
    const twice = [says("d", "c"), says("e", "c"), says("f", "c"), answers("g", "f")];
    expect(shown(...START, ...twice)).toEqual({ branches: ["a b c d e f g"], takenBack: ["d", "e"] });
  });

  test("may be the session's first, with what the client added for the model (2.1.332)", () => {
    const first = [says("a", null), adds("x", "a"), says("b", null), adds("y", "b"), answers("c", "y")];
    expect(shown(...first)).toEqual({ branches: ["a b y c"], takenBack: ["a"] });
  });

  test("is followed by a command of the client, and what was typed after that (2.1.332)", () => {
    const next = [says("d", "c"), command("e", "c"), says("f", "e"), answers("g", "f")];
    expect(shown(...START, ...next)).toEqual({ branches: ["a b c d e f g"], takenBack: ["d"] });
  });

  test.each([
    ["it was answered", answers("x", "d")],
    [
      "it was interrupted (2.0.76)",
      says("x", "d", [{ type: "text", text: "[Request interrupted by user]" }]),
    ],
  ])("is a branch where %s", (_, came) => {
    const next = [says("d", "c"), came, says("e", "c"), answers("f", "e")];
    expect(shown(...START, ...next)).toEqual({ branches: ["a b c e f", "a b c d x"], takenBack: [] });
  });

  test("is a branch where its person went back further, or went on elsewhere before", () => {
    expect(shown(...START, says("d", "c"), says("e", null)).takenBack).toEqual([]);
    const elsewhere = [says("d", "c"), answers("e", "b"), says("f", "c")];
    expect(shown(...START, ...elsewhere).takenBack).toEqual([]);
  });

  test("is found again once what was typed next is written", () => {
    const lines = [...START, says("d", "c"), command("e", "c"), says("f", "e"), answers("g", "d")];
    const tableTo = (count: number) =>
      tableOf(lines.slice(0, count).map((json): TestLine => ({ file: 0, json })));
    const grows = (from: number, to: number) => {
      const table = tableTo(to);
      const graph = buildGraph(tableTo(from), LOGS);
      return new IncrementalGraph(table, LOGS, graph).grow(LOGS) !== null;
    };
    expect([grows(3, 5), grows(5, 6), grows(6, 7)]).toEqual([true, false, false]);
  });
});
