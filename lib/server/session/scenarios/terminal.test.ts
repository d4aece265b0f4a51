import { from, scenario, upTo } from "@/lib/testing/recordings";

/** The plan of all recordings, whose heading is only "Plan". */
const PLANNED = "1. Fix the typo in `hello.py` 2. Add a test";

const HELLO = "“Hello! This is **shop**, a small Python project. - `hell…”";
const SECOND = "“And a second answer in the same session.”";
const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;

// `/clear` starts a new file; before 2.0.76 there is no `/rename`. 2.1.330 answers when a shell command has run, and
// writes no line for `/cost`. The sum that `/cost` printed differs from run to run: it starts the last line of the first part.
const basic = (cost: string, mention: string, files: string, after: string, shell = "") => `
  turn 1: What is this?
    ${HELLO}
    [! echo from bash mode; ls nothing-here]
    [Output] from bash mode ls: cannot access 'nothing-here': No such…${shell}${cost}
  turn 2: ${mention}
    ${SECOND}
    [/greet Bob]
    “Hello from the custom slash command!”
    ── compacted (manual) ──
    [/compact]
    [Output] ${dim("Compacted (ctrl+o to see full summary)")}${files}
  turn 3: After the compaction.
    “A third answer, after a fork or a resume.”
  --
  [/clear]
  turn 1: After the clear.
    ${HELLO}
    ${after}
`;
const spent = (sum: string, seconds: number) =>
  `
    [/cost]
    [Output] ${dim(`Total cost:            $${sum}`)}`.replace(/ +\$/, " $") +
  ` \u001b[2mTotal duration (API): ${seconds}…`;
const unknown = `[Output] Unknown slash command: rename
    [/export]
    [Output] Export cancelled`;
const renamed = `[/rename my renamed session]
    [Output] Session renamed to: my renamed session
    [/export]
    [Output] Export cancelled`;
const left = (words: string) => `${renamed}
    [/exit]
    [Output] ${words}`;
const readIn =
  '\n    [Read into the prompt: hello.py] def greet(name): print("Helo, " + name) if __name__ == "…';
scenario(
  "tui-basic",
  [["1.0.128"], basic(spent("0.0074", 0), "please", "", unknown)],
  [["2.0.42"], basic(spent("0.0099", 1), "please", "", unknown)],
  [["2.0.50"], basic(spent("0.0101", 2), "please", "", unknown)],
  [["2.0.76"], basic(spent("0.0107", 1), "please", "", left("See ya!"))],
  [["2.1.29"], basic(spent("0.0083", 0), "please", "", left("Goodbye!"))],
  [["2.1.42"], basic(spent("0.0130", 1), "please", "", renamed)],
  [
    ["2.1.110"],
    basic(
      "\n    [/cost]\n    [Output] Total cost: $0.0098 Total duration (API): 0s Total durat…",
      "please",
      "",
      renamed,
    ),
  ],
  [["2.1.330"], basic("", `Look at @hello.py please${readIn}`, readIn, renamed, "\n    “Done.”")],
);

const permission = (outcome: string) => `
  turn 1: Please.
    “I need to write outside.”
    Bash touch /home/dev/outside.txt && curl -s http://127.0.0.1:… → ${outcome}
    Write denied.txt → denied
    [warning: Interrupted during a tool call]
  turn 2: Carry on.
    ${HELLO}
`;
scenario("tui-perm", [["1.0.128"], permission("Error")], [from("2.0.42"), permission("exit 7")]);

// No plan file before 2.0.76: the answer without one asks twice.
const asksTwice = `“Let me plan.”
    Read hello.py → 7 lines
    “Planning without a plan file.”
    ExitPlanMode ${PLANNED} → accepted
    ExitPlanMode ${PLANNED} → denied
    [warning: Interrupted during a tool call]`;
const WRITES = "Write ~/.claude/plans/ID → created +4 −0";
// "Clear context and implement" (2.1.29, 2.1.42): a new session, which starts with lines of the old one.
const implement = `turn 1 (plan): Implement the following plan: # Plan 1. Fix the typo in…
    “Understood.”`;
scenario(
  "tui-plan",
  [
    upTo("2.0.50"),
    `
  turn 1: Plan it.
    ${asksTwice}
`,
  ],
  [
    ["2.0.76"],
    `
  turn 1: Plan it.
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}
    ExitPlanMode ${PLANNED} → accepted
    Edit hello.py → +1 −1
    “The plan is carried out.”
`,
  ],
  [
    ["2.1.29"],
    `
  turn 1: Plan it.
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}
    ExitPlanMode ${PLANNED} → no result in the log
  --
  (Result of ExitPlanMode)
  [warning: Interrupted during a tool call]
  ${implement}
`,
  ],
  [
    ["2.1.42"],
    `
  turn 1: Plan it.
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}
    ExitPlanMode ${PLANNED} → denied
  --
  [warning: Interrupted during a tool call]
  ${implement}
`,
  ],
  [
    ["2.1.110"],
    `
  turn 1: Plan it.
    [Plan mode]
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}
    ExitPlanMode ${PLANNED} → accepted
    [Left plan mode]
    Edit hello.py → +1 −1
    “The plan is carried out.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Plan it.
    [Plan mode]
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}
    ToolSearch select:ExitPlanMode → 1 tool loaded
    ExitPlanMode ${PLANNED} → accepted
    [Left plan mode]
    Edit hello.py → +1 −1
    “The plan is carried out.”
    [informational] Auto mode lets Claude handle permission prompts automati…
`,
  ],
);

const planTwice = ({ mode = "", load = "", read = "7 lines", leave = "" } = {}) => `
  turn 1: Plan it.${mode}
    “Let me plan.”
    Read hello.py → 7 lines
    ${WRITES}${load}
    ExitPlanMode ${PLANNED} → denied
    [warning: Interrupted during a tool call]
  turn 2: Plan it again.
    “Let me plan.”
    Read hello.py → ${read}
    Write ~/.claude/plans/ID → +0 −0
    ExitPlanMode ${PLANNED} → accepted${leave}
    Edit hello.py → +1 −1
    “The plan is carried out.”
`;
const modes = { mode: "\n    [Plan mode]", leave: "\n    [Left plan mode]" };
scenario(
  "tui-plan-keep",
  [
    upTo("2.0.50"),
    `
  turn 1: Plan it.
    “Let me plan.”
    Read hello.py → 7 lines
    “Planning without a plan file.”
    ExitPlanMode ${PLANNED} → denied
    [warning: Interrupted during a tool call]
  turn 2: Plan it again.
    ${asksTwice}
`,
  ],
  [["2.0.76", "2.1.29", "2.1.42"], planTwice()],
  [["2.1.110"], planTwice({ ...modes, read: "unchanged" })],
  [["2.1.330"], planTwice({ ...modes, load: "\n    ToolSearch select:ExitPlanMode → 1 tool loaded" })],
);

scenario("tui-ask", [
  from("2.0.76"),
  `
  turn 1: Ask me.
    AskUserQuestion Which drink should the shop sell first? (→ Tea) → answered
    “Thank you for the answer.”
`,
]);

// The place of the image is in the text up to 2.0.50 and from 2.1.110 on.
const pasted = (first: string, second: string, cleared = "") => `
  turn 1: ${first} [image]
    ${HELLO}
  turn 2: ${second}${cleared}
    ${SECOND}
`;
const LINES = "pasted line 0 pasted line 1 pasted line 2 pasted line 3…";
scenario(
  "tui-image",
  [["1.0.128", "2.0.42", "2.0.50", "2.1.110"], pasted("[Image #1] What is in the picture?", LINES)],
  [["2.0.76", "2.1.29"], pasted("What is in the picture?", LINES)],
  [
    ["2.1.42"],
    pasted(
      "What is in the picture?",
      LINES,
      "\n    [Old tool results cleared from the context] Context microcompacted",
    ),
  ],
  [
    ["2.1.330"],
    pasted("[Image #1] What is in the picture?", "<pasted_content> pasted line 0 pasted line 1 p…"),
  ],
);

const todos = `TodoWrite 0 of 2 done (next: Read the code)
    TodoWrite 1 of 2 done (next: Fix the greeting)
    TodoWrite list emptied
    “The list is done.”`;
const tasks = `TaskCreate Read the code → added
    TaskCreate Fix the greeting → added
    TaskUpdate #1 Read the code → pending → in progress
    TaskUpdate #1 Read the code → in progress → done
    TaskUpdate #2 Fix the greeting (waits for #1)
    TaskList  → 2 tasks
    TaskGet #2 Fix the greeting → pending
    “Everything on the list is done.”`;
const disabled = (tool: string) =>
  `No such tool available: ${tool}. ${tool} is disabled for this session, in subagents…`;
const noTasks = `TaskCreate Read the code → ${disabled("TaskCreate")}
    TaskCreate Fix the greeting → ${disabled("TaskCreate")}
    TaskUpdate #1 → ${disabled("TaskUpdate")}
    TaskUpdate #1 → ${disabled("TaskUpdate")}
    TaskUpdate #2 (waits for #1) → ${disabled("TaskUpdate")}
    “The list is done.”`;
const found = (defs: string, e: string) => `Glob **/*.py → 2 files
    Grep def → ${defs}
    Grep shop → 3 files
    Grep e → ${e}
    Grep zzz_nothing → 0 files`;
const shell = `Bash find . -name "*.py" → 2 lines
    Bash grep -rn "def " . → 2 lines`;
const listed = (list: string, searched: string, context: string, model: string, after = "") => `
  turn 1: Make a list.
    ${list}
  turn 2: Search.
    “Searching in parallel.”
    ${searched}
    Bash ls → 10 lines
    “Two Python files, one function each.”
  turn 3: Think.
    thinks: First I think about the question at some length. Then I…
    “A first thought-out sentence.”
    Bash echo thought → thought
    thinks: Another thought.
    thinks: (redacted)
    “First text block.”
    thinks: Interleaved thought.
    “Second text block.”
    [/context]
    [Output] ${context}
    [/model sonnet]
    [Output] ${model}
  turn 4: Same.
    ${HELLO}${after}
`;
// Up to 2.0.50 a line that starts with # was typed as a note and sent as a prompt.
const note = `
  turn 5: # remember to be brief
    “Done.”`;
const e = "\u001b[";
const drawn = `${`${e}?2026h${e}?2026l`.repeat(2)}${e}?2026h ${e}1mContext Usa…`;
const sonnet = `Set model to ${e}1msonnet (claude-sonnet-4-5-20250929)${e}22…`;
scenario(
  "tui-todo",
  [
    ["1.0.128"],
    listed(
      todos,
      found("3 lines", "551 in 29 files"),
      `${e}38;5;244m⛁ ⛁ ${e}38;5;246m⛁ ⛁ ⛁ ⛁ ⛁ ⛀ ${e}38;5;174m⛀ ${e}38;…`,
      `Set model to ${e}1msonnet (claude-sonnet-4-20250514)${e}22m`,
      note,
    ),
  ],
  [["2.0.42", "2.0.50"], listed(todos, found("2 lines", "38 in 8 files"), drawn, sonnet, note)],
  [["2.0.76"], listed(todos, found("2 lines", "38 in 8 files"), drawn, sonnet)],
  [
    ["2.1.29", "2.1.42"],
    listed(
      tasks,
      found("2 lines", "38 in 8 files"),
      `${e}1mContext Usage${e}22m ${e}38;5;244m⛁ ${e}38;5;246m⛁ ⛁ ⛁ ⛁ ⛁…`,
      sonnet,
    ),
  ],
  // The line of the last parallel call precedes its parent in this file: the order is the graph's.
  [
    ["2.1.110"],
    listed(
      tasks,
      found("2 lines", "38 in 8 files"),
      `${e}1mContext Usage${e}22m ${e}38;5;244m⛁ ⛁ ⛁ ${e}38;5;246m⛁ ⛁ ⛁…`,
      `Set model to ${e}1mSonnet 4.6${e}22m`,
    ),
  ],
  [
    ["2.1.330"],
    listed(
      noTasks,
      shell,
      `${e}1mContext usage${e}22m ${e}38;5;244m⛀ ${e}38;5;246m⛁ ${e}38;5;…`,
      "Kept model as `Opus 5.5 (default)`",
    ),
  ],
);
