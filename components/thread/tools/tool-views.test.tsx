// @vitest-environment page
import { act, type ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeWorkersWith } from "@/components/content/code/highlight";
import { OutputText } from "@/components/content/code/output-text";
import { FileChangeView } from "@/components/content/diff/diff-actions";
import { ThreadContext } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import { copiedTexts } from "@/lib/testing/copied-texts";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { MAX_FIELD } from "@/lib/wire/record";
import { AGENT_VIEWS } from "./agent-views";
import { CallData } from "./call-data";
import { CLIENT_VIEWS } from "./client-views";
import { FILE_VIEWS } from "./file-views";
import { SHELL_VIEWS } from "./shell-views";
import { TASK_VIEWS } from "./task-views";
import { ToolDetail } from "./tool-detail";
import { WEB_VIEWS } from "./web-views";

vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE);

let drawn: DrawnPage;

beforeEach(() => {
  copiedTexts.length = 0;
  drawn = drawnPage();
  // Of every file of an output, and of every image.
  vi.stubGlobal("fetch", async () => new Response("printed"));
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
    return [...chosen, ...lines.filter((line) => line.startsWith("The user said"))];
  }

  it("shows what was typed beside the options that were chosen", async () => {
    const labels = ["Redis", "Kafka", "Kafka, with a schema"];
    expect(await answered(labels, true, "Redis, and a plain file")).toEqual([
      "Redis",
      "The user said and a plain file",
    ]);
    expect(await answered(labels, true, "Kafka, with a schema, Redis")).toEqual([
      "Redis",
      "Kafka, with a schema",
    ]);
    expect(await answered(labels, true, "Kafka, Kafka, with a schema, or not")).toEqual([
      "Kafka",
      "Kafka, with a schema",
      "The user said or not",
    ]);
    expect(await answered(labels, true, "Redis-like")).toEqual(["The user said Redis-like"]);
  });

  it("takes an answer in own words for no option that it mentions", async () => {
    const labels = ["Redis", "Kafka"];
    expect(await answered(labels, false, "Neither, really, Kafka")).toEqual([
      "The user said Neither, really, Kafka",
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
    expect(copiedTexts).toEqual([TEXT]);
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

it("an output says how much of its long lines is left out", async () => {
  drawn.leave();
  await drawn.draw(<OutputText text={"a".repeat(5_001)} />);
  expect(document.body.textContent).toMatch(
    /a … 1 more character1 character of long lines left outShow them$/,
  );
});

/** A result of one text, as `callOf` takes it. */
const printed = (text: string, more: object = {}) => ({
  blocks: [{ kind: "text", text: { text, cut: false, length: text.length } }],
  ...more,
});

/** What an opened call says, drawn by its tool's own view. */
async function textOf(view: ReactNode): Promise<string> {
  makeWorkersWith(() => ({ postMessage: () => undefined }) as never);
  return (await show(view)).textContent ?? "";
}

describe("a command", () => {
  const { Bash } = SHELL_VIEWS;
  const opened = (result: object, input: object = { command: "run" }) =>
    textOf(<Bash {...callOf("Bash", input, result)} />);

  it("that printed an exit code itself has that as its output", async () => {
    const text = await opened(printed("Exit code 1"));
    expect(text).toContain("Exit code 1");
    expect(text).not.toContain("no output");
    await click("Copy output");
    expect(copiedTexts).toEqual(["Exit code 1"]);
  });

  it("that failed has its code in the bar alone", async () => {
    const text = await opened(printed("Exit code 3\nno", { isError: true }));
    expect(text).not.toContain("Exit code 3");
    expect(text).toContain("no");
    await click("Copy output");
    expect(copiedTexts).toEqual(["no"]);
  });

  it("that went on in the background has not ended, also where only the text says so (2.1.330)", async () => {
    const { row, call } = callOf(
      "Bash",
      { command: "serve", run_in_background: true },
      printed("Command running in background with ID: b1f. Output is being written to: /tmp/b1f"),
    );
    const text = await textOf(
      <Bash row={{ ...(row as object), result: "background · b1f" } as never} call={call} />,
    );
    expect(text).toContain("in the background as b1f");
    expect(text).not.toContain("exit 0");
  });

  it("whose exit code means something is not said to have ended with 0", async () => {
    const structured = { stdout: "", stderr: "", returnCodeInterpretation: "No matches found" };
    const text = await opened(printed("(Bash completed with no output)", { structured }));
    expect(text).toContain("No matches found");
    expect(text).not.toContain("exit 0");
  });

  it("that the API ran ended with the code that its result has", async () => {
    const json = { type: "bash_code_execution_result", stdout: "", stderr: "no such file", return_code: 2 };
    const text = await opened({ blocks: [{ kind: "other", type: json.type, json }] });
    expect(text).toContain("exit 2");
    expect(text).not.toContain("exit 0");
  });

  it("has its output measured as it is known: in the bytes of a file, else in characters", async () => {
    const text = "表示 ".repeat(500);
    expect(await opened(printed(text))).toContain("output 1.5k characters");
    const blob = { recordId: "m~2", n: 0, kind: "output", mediaType: null, bytes: 312_400, name: "b1f.txt" };
    const { blocks } = printed(text);
    expect(await opened({ blocks: [...blocks, { kind: "blob", blob }] })).toContain("output 312 kB");
  });

  it("that printed an image has an output", async () => {
    const blob = { recordId: "m~2", n: 0, kind: "image", mediaType: null, bytes: null, name: null };
    const text = await opened({ blocks: [{ kind: "blob", blob }], structured: { isImage: true } });
    expect(text).not.toContain("no output");
  });
});

describe("a change of a list that failed", () => {
  it("is not told as made", async () => {
    const { TodoWrite, TaskCreate } = TASK_VIEWS;
    const failed = printed("No such list", { isError: true, structured: "Error: No such list" });
    const todos = [{ content: "Read", status: "pending" }];
    expect(await textOf(<TodoWrite {...callOf("TodoWrite", { todos }, failed)} />)).not.toContain("added");
    const task = { subject: "Fix", description: "it" };
    expect(await textOf(<TaskCreate {...callOf("TaskCreate", task, failed)} />)).not.toContain("added");
  });
});

it("a task that was looked up says what the text has of it, where nothing else is known (2.1.330)", async () => {
  const { TaskGet } = TASK_VIEWS;
  const text = await textOf(
    <TaskGet
      {...callOf(
        "TaskGet",
        { taskId: "2" },
        printed(
          "Task #2: Fix the greeting\nStatus: completed\nDescription: Fix the typo\nBlocked by: #1, #3\n\n<system-reminder>\nx\n</system-reminder>",
        ),
      )}
    />,
  );
  expect(text).toContain("#2Fix the greeting");
  expect(text).toContain("Fix the typo");
  expect(text).toContain("waits for#1, #3");
  expect(document.querySelector("[role=img]")?.getAttribute("aria-label")).toBe("done");
});

it("a task that was added has its number, where the text alone has it (2.1.330)", async () => {
  const { TaskCreate } = TASK_VIEWS;
  const added = printed("Task #2 created successfully: Fix the greeting");
  expect(
    await textOf(<TaskCreate {...callOf("TaskCreate", { subject: "Fix the greeting" }, added)} />),
  ).toContain("#2Fix the greeting");
});

describe("an agent", () => {
  const { Agent } = AGENT_VIEWS;
  const opened = (text: string) => {
    const { row, call } = callOf("Agent", { prompt: "look" }, printed(text));
    return textOf(<Agent row={{ ...(row as object), agent: null } as never} call={call} />);
  };

  it("in the background has not answered, also where only the text says so (2.1.330)", async () => {
    const text = await opened(
      "Async agent launched successfully. (This tool result is internal metadata)\nagentId: a1 (internal ID)",
    );
    expect(text).toContain("Started in the background");
    expect(text).not.toContain("internal metadata");
  });

  it("has its answer copied as it is shown, without what the client put around it", async () => {
    const text = await opened(
      "All is well.\nagentId: a1 (use SendMessage with to: 'a1' to continue this agent)\n<usage>total_tokens: 9</usage>",
    );
    expect(text).not.toContain("SendMessage");
    await click("Copy answer");
    expect(copiedTexts).toEqual(["All is well."]);
  });

  it("is told something that is no text as it was told (2.1.330)", async () => {
    const { SendMessage } = AGENT_VIEWS;
    const message = { type: "shutdown_request", reason: "all done" };
    const text = await textOf(
      <SendMessage {...callOf("SendMessage", { to: "a1", message }, printed("Sent"))} />,
    );
    expect(text).toContain("all done");
    await click("Copy message");
    expect(JSON.parse(copiedTexts[0] ?? "")).toEqual(message);
  });
});

describe("what is copied of a task in the background", () => {
  const { TaskOutput, TaskStop } = SHELL_VIEWS;

  it("is the error that is shown, where there is nothing else", async () => {
    const failed = printed("No task found with ID: b1", { isError: true });
    expect(await textOf(<TaskOutput {...callOf("TaskOutput", { task_id: "b1" }, failed)} />)).toContain(
      "No task found",
    );
    await click("Copy output");
    await textOf(<TaskStop {...callOf("TaskStop", { task_id: "b1" }, failed)} />);
    await click("Copy message");
    expect(copiedTexts).toEqual(["No task found with ID: b1", "No task found with ID: b1"]);
  });

  it("has both streams", async () => {
    const structured = { shellId: "b1", status: "completed", stdout: "out", stderr: "err" };
    await textOf(<TaskOutput {...callOf("BashOutput", { bash_id: "b1" }, printed("", { structured }))} />);
    await click("Copy output");
    expect(copiedTexts).toEqual(["out\nerr"]);
  });
});

it("a notebook that was read has what its cells printed", async () => {
  const { Read } = FILE_VIEWS;
  const cells = [
    { cellType: "code", source: "1 + 1", outputs: [{ output_type: "execute_result", text: "2\n" }] },
  ];
  const structured = { type: "notebook", file: { filePath: "/a.ipynb", cells } };
  const text = await textOf(
    <Read {...callOf("Read", { file_path: "/a.ipynb" }, printed("<cell>", { structured }))} />,
  );
  expect(text).toContain("1 + 1");
  expect(text).toContain("output");
  expect(text).toContain("2");
});

it("a file that was created empty is said to be, and shows no line", async () => {
  const diff = { path: "/a.ts", change: "created", added: 0, removed: 0, hunks: [], computed: false };
  const choice = { split: false, ignoreSpace: false };
  const view = await show(<FileChangeView diff={diff as never} original={null} choice={choice as never} />);
  expect(view.textContent).toBe("The file is empty.");
});

it("an option that was put to the person has its preview", async () => {
  const { AskUserQuestion } = CLIENT_VIEWS;
  const options = [{ label: "Wide", description: "two columns", preview: "| a | b |" }];
  const input = { questions: [{ question: "Which?", options }] };
  const text = await textOf(
    <AskUserQuestion
      {...callOf("AskUserQuestion", input, printed("", { structured: { answers: { "Which?": "Wide" } } }))}
    />,
  );
  expect(text).toContain("| a | b |");
});

it("a refusal is there whole, however long it is", async () => {
  const { Bash } = SHELL_VIEWS;
  const said = `PreToolUse:Bash hook error: [guard.sh]: ${"word ".repeat(200)}the end`;
  const { row, call } = callOf("Bash", { command: "run" }, printed(said, { isError: true }));
  const text = await textOf(
    <Bash row={{ ...(row as object), state: "denied", result: "denied" } as never} call={call} />,
  );
  expect(text).toContain("Blocked by a hook.");
  expect(text).toContain("the end");
});

it("a table has with it what stands beside its list", async () => {
  const content = { total_count: 1_240, incomplete_results: true, items: [{ id: 7 }, { id: 8 }] };
  const page = await show(<CallData {...callOf("mcp__hub__search", { q: "x" }, { content })} />);
  expect([...page.querySelectorAll("td")].map(({ textContent }) => textContent)).toEqual(["7", "8"]);
  expect(page.textContent).toContain("total_count1240");
  expect(page.textContent).toContain("incomplete_resultstrue");
});

it("what a tool of the API gave back, which is no text, is copied as it is shown", async () => {
  const json = { type: "tool_search_tool_search_result", tool_references: [{ tool_name: "price" }] };
  const result = { blocks: [{ kind: "other", type: json.type, json }] };
  expect(await textOf(<CallData {...callOf("tool_search", { query: "price" }, result)} />)).toContain(
    "tool_references",
  );
  await click("Copy output");
  expect(JSON.parse(copiedTexts[0] ?? "null")).toEqual(json);
});

it("a search of the web has the words around its links, where they stand in the text alone (2.1.29, agents' lines)", async () => {
  const { WebSearch } = WEB_VIEWS;
  const found =
    'Web search results for query: "tea"\n\nLinks: [{"title":"Tea","url":"https://tea.test/"}]\n\nTea is a drink.';
  const text = await textOf(<WebSearch {...callOf("WebSearch", { query: "tea" }, printed(found))} />);
  expect(text).toContain("1 link");
  expect(text).toContain("Tea is a drink.");
  expect(text).not.toContain("Links: [");
});
