// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeWorkersWith } from "@/components/content/code/highlight";
import { OutputText } from "@/components/content/code/output-text";
import { ThreadContext } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { MAX_FIELD } from "@/lib/wire/record";
import { CallData } from "./call-data";
import { CLIENT_VIEWS } from "./client-views";
import { ToolDetail } from "./tool-detail";

const copied = vi.hoisted(() => [] as string[]);
vi.mock("@/lib/client/copy-text", () => ({
  copyText: async (text: string) => {
    copied.push(text);
    return true;
  },
}));

let drawn: DrawnPage;

beforeEach(() => {
  copied.length = 0;
  drawn = drawnPage();
});

async function show(view: ReactNode): Promise<HTMLElement> {
  drawn.leave();
  await drawn.draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>{view}</ThreadContext.Provider>,
  );
  return document.body.firstElementChild as HTMLElement;
}

async function click(name: string): Promise<void> {
  const button = [...document.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
  if (!button) throw new Error(`no ${name}: ${document.body.textContent}`);
  await act(async () => button.click());
}

const ROW = { key: "m~1.0", kind: "tool", recordId: "m~1", block: 0, state: "ok", durationMs: null, turn: 1 };

function callOf(name: string, input: object, result: object) {
  const whole = { recordId: "m~2", isError: false, content: null, structured: null, blocks: [], ...result };
  const call = { name, input, cwd: null, diffs: [], later: [], recordId: "m~1", block: 0, results: [whole] };
  return { row: { ...ROW, name } as never, call: call as never };
}

describe("a question to the person", () => {
  const { AskUserQuestion: QuestionView } = CLIENT_VIEWS;

  /** The options that are marked as chosen, and what else the person said. */
  async function answered(labels: string[], multiSelect: boolean, answer: string): Promise<string[]> {
    const question = "Which?";
    const options = labels.map((label) => ({ label }));
    const input = { questions: [{ question, multiSelect, options }] };
    const props = callOf("AskUserQuestion", input, { structured: { answers: { [question]: answer } } });
    const page = await show(<QuestionView {...props} />);
    const lines = [...page.querySelectorAll("div, p")].map(({ textContent }) => textContent ?? "");
    const chosen = labels.filter((label) => lines.includes(`${label}chosen`));
    return [...chosen, ...lines.filter((line) => line.startsWith("You said"))];
  }

  it("shows what was typed beside the options that were chosen", async () => {
    const labels = ["Redis", "Kafka", "Kafka, with a schema"];
    expect(await answered(labels, true, "Redis, and a plain file")).toEqual([
      "Redis",
      "You said and a plain file",
    ]);
    expect(await answered(labels, true, "Kafka, with a schema, Redis")).toEqual([
      "Redis",
      "Kafka, with a schema",
    ]);
    expect(await answered(labels, true, "Kafka, Kafka, with a schema, or not")).toEqual([
      "Kafka",
      "Kafka, with a schema",
      "You said or not",
    ]);
    expect(await answered(labels, true, "Redis-like")).toEqual(["You said Redis-like"]);
  });

  it("takes an answer in own words for no option that it mentions", async () => {
    const labels = ["Redis", "Kafka"];
    expect(await answered(labels, false, "Neither, really, Kafka")).toEqual([
      "You said Neither, really, Kafka",
    ]);
    expect(await answered(labels, false, "Kafka")).toEqual(["Kafka"]);
    expect(await answered(["Yes, all of it", "No"], false, "Yes, all of it")).toEqual(["Yes, all of it"]);
  });
});

describe("numbers with more digits than JavaScript's", () => {
  const TEXT = '[{"id":1234567890123456789,"price":0.12345678901234567890,"name":"a"},{"id":2,"price":1.50}]';
  const block = { kind: "text", text: { text: TEXT, cut: false, length: TEXT.length } };

  it.each([
    ["text", { blocks: [block] }],
    ["structured content that came as text too", { blocks: [block], content: JSON.parse(TEXT) }],
  ])("have all of them in a result that is %s, and are copied as they came", async (_, result) => {
    const page = await show(<CallData {...callOf("mcp__shop__orders", {}, result)} />);
    const cells = [...page.querySelectorAll("td")].map(({ textContent }) => textContent);
    expect(cells).toEqual(["1234567890123456789", "0.12345678901234567890", "a", "2", "1.5", ""]);
    await click("Keys");
    expect(page.textContent).toContain("id: 1234567890123456789");
    await click("Raw");
    expect(page.textContent).toContain(TEXT);
    await click("Copy data");
    expect(copied).toEqual([TEXT]);
  });
});

describe("a text of a call that is longer than what is drawn or sent of it", () => {
  const opened = async (name: string, input: object, inspect?: (id: string) => void) => {
    const { row, call } = callOf(name, input, {});
    vi.spyOn(api, "call").mockResolvedValue(call);
    drawn.leave();
    const actions = { sessionId: "s", lane: 0, inspect } as never;
    await drawn.draw(
      <ThreadContext.Provider value={actions}>
        <ToolDetail row={{ ...(row as object), server: null } as never} />
      </ThreadContext.Provider>,
    );
    const isDrawn = () => expect(document.body.textContent).not.toContain("Not loaded");
    await act(() => vi.waitFor(isDrawn));
    return document.body.textContent ?? "";
  };

  it("is unfolded by a click where the page has all of it", async () => {
    const text = `${"a".repeat(20_000)}the end`;
    expect(await opened("Nap", { text })).not.toContain("the end");
    await click("Show 7 more characters");
    expect(document.body.textContent).toContain("the end");
    expect(document.body.textContent).not.toContain("are cut at");
  });

  it("says that it was cut, and where all of it is", async () => {
    const inspected: string[] = [];
    const text = "a".repeat(MAX_FIELD);
    expect(await opened("Nap", { list: [{ text }] }, (id) => inspected.push(id))).toContain(
      "Texts of this call are cut at 65,536 characters.",
    );
    await click("Open its record");
    expect(inspected).toEqual(["m~1"]);
    expect(await opened("Nap", { text })).not.toContain("Open its record");
  });

  it("is not said of files, whose views read what they need", async () => {
    makeWorkersWith(() => ({ postMessage: () => undefined }) as never);
    const content = "a".repeat(MAX_FIELD);
    expect(await opened("Write", { file_path: "/a.ts", content })).not.toContain("are cut at");
  });
});

it("an output shows the last state of a progress, and those before it when they are asked for", async () => {
  drawn.leave();
  await drawn.draw(<OutputText text={"before\n 12% of it\r 50% of it\r100% of it\nafter"} />);
  expect(document.body.textContent).toBe(
    "before\n100% of it\nafter2 states of a progress written overShow them",
  );
  await click("Show them");
  expect(document.body.textContent).toBe("before\n 12% of it␍ 50% of it␍100% of it\nafter");
});
