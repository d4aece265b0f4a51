import { ALL, from, scenario, upTo } from "@/lib/testing/recordings";

scenario("hello", [
  ALL,
  `
  turn 1: Please do it.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`,
]);

scenario("edit-file", [
  ALL,
  `
  turn 1: Please do it.
    thinks: The user wants the greeting fixed. I should read the fil…
    “I'll read the file first.”
    Read hello.py → 7 lines
    “The greeting is misspelled. Fixing it.”
    Edit hello.py → +1 −1
    Edit hello.py → all +3 −3
    Write greet_test.py → created +6 −0
    Read README.md → 4 lines
    Write README.md → +4 −0
    “The greeting is fixed, a test is added, and the README s…”
`,
]);

scenario("read-range", [
  ALL,
  `
  turn 1: Please do it.
    Read big.txt (100–104) → 5 of 2,601 lines
    Read big.txt → 2,601 lines
    Read empty.txt → empty
    “Read three times.”
`,
]);

scenario(
  "multiedit",
  [
    ["1.0.128"],
    `
  turn 1: Please do it.
    Read prices.json → 5 lines
    MultiEdit prices.json → 2 edits +2 −2
    “Both prices were raised.”
`,
  ],
  [
    from("2.0.42"),
    `
  turn 1: Please do it.
    Read prices.json → 5 lines
    Edit prices.json → +1 −1
    Edit prices.json → +1 −1
    “Both prices were raised.”
`,
  ],
);

// 1.0.128 gives a failed command's output without its exit code; a command that takes too
// long is moved to the background from 2.0.42 to 2.1.42, and 2.1.42 tells when it has ended there.
// A long output is a file of its own from 2.1.29 on; from 2.1.110 on its size is all that the line has.
const bash = (failed: string, tooLong: string, long: string, after = "") => `
  turn 1: Please do it.
    “Running a few commands.”
    Bash echo out; echo err >&2 → 2 lines
    Bash echo "some output"; echo "boom" >&2; exit 3 → ${failed}
    Bash printf "\\033[31mred\\033[0m plain\\n"; true → \u001b[31mred\u001b[0m plain
    Bash for i in $(seq 1 6000); do echo "line $i of a long outpu… → ${long}
    Bash sleep 20 → ${tooLong}
    Bash true → no output
    “All commands ran; one failed and one timed out.”${after}
`;
scenario(
  "bash",
  [["1.0.128"], bash("boom some output", "timed out", "687 lines")],
  [["2.0.42", "2.0.50", "2.0.76"], bash("exit 3", "moved to background", "687 lines")],
  [["2.1.29"], bash("exit 3", "moved to background", "6,000 lines · 269 kB")],
  [
    ["2.1.42"],
    bash(
      "exit 3",
      "moved to background",
      "6,000 lines · 269 kB",
      `
    [Background command "A command that times out" completed…]
    “Done.”`,
    ),
  ],
  [["2.1.110"], bash("exit 3", "exit 143", "269 kB")],
  [["2.1.330"], bash("exit 3", "timed out", "269 kB")],
);

const background = (look: string, stop: string, { told = "", after = "" } = {}) => `
  turn 1: Please do it.
    Bash for i in 1 2 3; do echo tick $i; sleep 0.3; done → background
    Bash sleep 2 → no output${told}
    ${look}
    Bash sleep 60 → background
    ${stop}
    “The background command ticked three times; the sleep was…”${after}
`;
const ticked = `
    [Background command "Tick in the background" completed (e…]`;
scenario(
  "bash-background",
  [upTo("2.0.50"), background("BashOutput ID → completed, exit 0", "KillShell ID → stopped")],
  [["2.0.76"], background("TaskOutput ID → completed, exit 0", "KillShell ID → stopped")],
  [["2.1.29"], background("TaskOutput ID → completed, exit 0", "TaskStop ID → stopped")],
  [
    ["2.1.42"],
    background("TaskOutput ID → completed, exit 0", "TaskStop ID (sleep 60) → stopped", {
      after: `${ticked}
    “Done.”`,
    }),
  ],
  // From here on the notification comes before the look, and the reported output is gone.
  [
    ["2.1.110"],
    background("TaskOutput ID → No task found with ID", "TaskStop ID (sleep 60) → stopped", { told: ticked }),
  ],
  [
    ["2.1.330"],
    background(
      "Bash echo no output tool → no output tool",
      `ToolSearch select:TaskStop → 1 tool loaded
    TaskStop ID (sleep 60) → stopped`,
      { told: ticked },
    ),
  ],
);

const search = (defs: string, e: string) => `
  turn 1: Please do it.
    “Searching in parallel.”
    Glob **/*.py → 2 files
    Grep def → ${defs}
    Grep shop → 3 files
    Grep e → ${e}
    Grep zzz_nothing → 0 files
    Bash ls → 10 lines
    “Two Python files, one function each.”
`;
scenario(
  "search",
  [["1.0.128"], search("3 lines", "550 in 28 files")],
  [["2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110"], search("2 lines", "38 in 8 files")],
  // Glob and Grep are absent in 2.1.330.
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    “Searching in parallel.”
    Bash find . -name "*.py" → 2 lines
    Bash grep -rn "def " . → 2 lines
    Bash ls → 10 lines
    “Two Python files, one function each.”
`,
  ],
);
scenario(
  "search-sonnet",
  [
    ["2.1.110"],
    `
  turn 1: Please do it.
    “Searching in parallel.”
    Glob **/*.py → 4 files
    Grep def → 4 lines
    Grep shop → 6 files
    Grep e → 77 in 17 files
    Grep zzz_nothing → 0 files
    Bash ls → 10 lines
    “Two Python files, one function each.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    “Searching in parallel.”
    Bash find . -name "*.py" → 4 lines
    Bash grep -rn "def " . → 4 lines
    Bash ls → 10 lines
    “Two Python files, one function each.”
`,
  ],
);

const todos = `
  turn 1: Please do it.
    TodoWrite 0 of 2 done (next: Read the code)
    TodoWrite 1 of 2 done (next: Fix the greeting)
    TodoWrite list emptied
    “The list is done.”
`;
scenario(
  "todo",
  [upTo("2.1.110"), todos],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    TaskCreate Read the code → No such tool available: TaskCreate. TaskCreate is disabled for this session, in subagents…
    TaskCreate Fix the greeting → No such tool available: TaskCreate. TaskCreate is disabled for this session, in subagents…
    TaskUpdate #1 → No such tool available: TaskUpdate. TaskUpdate is disabled for this session, in subagents…
    TaskUpdate #1 → No such tool available: TaskUpdate. TaskUpdate is disabled for this session, in subagents…
    TaskUpdate #2 (waits for #1) → No such tool available: TaskUpdate. TaskUpdate is disabled for this session, in subagents…
    “The list is done.”
`,
  ],
);
scenario(
  "todo-sonnet",
  [["2.1.110"], todos],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    ToolSearch select:TaskCreate → 1 tool loaded
    TaskCreate Read the code → added
    TaskCreate Fix the greeting → added
    ToolSearch select:TaskUpdate → 1 tool loaded
    TaskUpdate #1 Read the code → pending → in progress
    TaskUpdate #1 Read the code → in progress → done
    TaskUpdate #2 Fix the greeting (waits for #1)
    ToolSearch select:TaskList,TaskGet → 2 tools loaded
    TaskList  → 2 tasks
    TaskGet #2 Fix the greeting → pending
    “Everything on the list is done.”
`,
  ],
);

// All four calls of one message: a line of results up to 2.0.76, a fan from 2.1.29. To a reader the same.
scenario("parallel-tools", [
  ALL,
  `
  turn 1: Please do it.
    thinks: Three reads at once.
    “Reading three files at once.”
    Read hello.py → 7 lines
    Read prices.json → 5 lines
    Bash sleep 0.5; echo late → late
    Read README.md → 4 lines
    “All read.”
`,
]);

scenario("thinking", [
  ALL,
  `
  turn 1: Please do it.
    thinks: First I think about the question at some length. Then I…
    “A first thought-out sentence.”
    Bash echo thought → thought
    thinks: Another thought.
    thinks: (redacted)
    “First text block.”
    thinks: Interleaved thought.
    “Second text block.”
`,
]);

// 2.1.330 asks again when an answer holds no text, and keeps both.
scenario(
  "thinking-only",
  [
    upTo("2.1.110"),
    `
  turn 1: Please do it.
    thinks: Only a thought and no text.
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    thinks: Only a thought and no text.
    thinks: Only a thought and no text.
`,
  ],
);

// Dimensions from 2.0.76; 2.1.330 sends the PDF itself.
const image = (picture: string, pdf: string, load = "") => `
  turn 1: Please do it.
    “Looking at the picture.”
    Read logo.png → ${picture} [image]
    Read doc.pdf → ${pdf}
    Read note.ipynb → notebook, 2 cells${load}
    NotebookEdit note.ipynb (cell c1)
    “The logo is a small red square.”
`;
scenario(
  "image",
  [upTo("2.0.50"), image("image", "PDF")],
  [["2.0.76", "2.1.29", "2.1.42", "2.1.110"], image("image 24 × 24", "PDF")],
  [
    ["2.1.330"],
    image(
      "image 24 × 24",
      "PDF [document]",
      `
    ToolSearch select:NotebookEdit → 1 tool loaded`,
    ),
  ],
);

const toolErrors = (missing: string, unread: string) => `
  turn 1: Please do it.
    Read does-not-exist.txt → ${missing}
    Edit hello.py → ${unread}
    NoSuchTool a: 1 → No such tool available: NoSuchTool
    Bash  → InputValidationError: Bash failed due to the following issues: The required parameter \`co…
    Read prices.json → 5 lines
    Edit prices.json → String to replace not found in file. String: not in the file
    “Five tool calls failed, as they should.”
`;
const where = "File does not exist. Note: your current working directory is /home/dev/shop.";
scenario(
  "tool-error",
  [
    upTo("2.1.42"),
    toolErrors("File does not exist.", "File has not been read yet. Read it first before writing to it."),
  ],
  [["2.1.110"], toolErrors(where, "File has not been read yet. Read it first before writing to it.")],
  [["2.1.330"], toolErrors(where, "String to replace not found in file. String: not in the file")],
);

scenario("denied", [
  ALL,
  `
  turn 1: Please do it.
    “I need to write outside.”
    Bash touch /home/dev/outside.txt && curl -s http://127.0.0.1:… → denied
    Write denied.txt → denied
    “Permission was not given, so I stopped.”
`,
]);

scenario(
  "webfetch",
  [
    upTo("2.1.110"),
    `
  turn 1: Please do it.
    WebFetch http://127.0.0.1:9/nothing → connect ECONNREFUSED 127.0.0.1:9
    WebSearch tiny shop greeting → 1 link
    “The page could not be fetched.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    ToolSearch select:WebFetch → 1 tool loaded
    WebFetch http://127.0.0.1:9/nothing → connect ECONNREFUSED 127.0.0.1:9
    ToolSearch select:WebSearch → 1 tool loaded
    WebSearch tiny shop greeting → 1 link
    “The page could not be fetched.”
`,
  ],
);

scenario(
  "mcp",
  [
    upTo("2.1.110"),
    `
  turn 1: Please do it.
    shop:price item: tea
    shop:picture  [image]
    shop:fail  → the shop is closed
    “Tea costs 4.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    ToolSearch select:mcp__shop__price → 1 tool loaded
    shop:price item: tea
    ToolSearch select:mcp__shop__picture → 1 tool loaded
    shop:picture  [image]
    ToolSearch select:mcp__shop__fail → 1 tool loaded
    shop:fail  → the shop is closed
    “Tea costs 4.”
`,
  ],
);

// U+2028 stands raw in the line; the command's output is not UTF-8.
scenario("unicode", [
  ALL,
  `
  turn 1: Please do it.
    “Ünïcödé — 日本語, emoji 👩‍👩‍👧, RTL: שלום, a NUL-free con…”
    Bash printf "caf\\xc3\\xa9 \\xf0\\x9f\\x98\\x80 \\xff\\xfe raw\\n" → café 😀 \ufffd\ufffd raw
    “Fertig ✅.”
`,
]);
