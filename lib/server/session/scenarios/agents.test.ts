import { from, scenario } from "@/lib/testing/recordings";

type Shape = {
  /** Task until 2.1.42, Agent since. */
  tool: "Task" | "Agent";
  /** 2.0.42 and 2.0.50 leave an agent's prompt out of its file. */
  prompts: boolean;
  /** From 2.1.29 on an agent's results carry no `toolUseResult`, and so no number of lines. */
  lines: boolean;
  /** 2.1.330 starts agents in the background, and their answers come in notifications. */
  later: boolean;
  /** What a missing file is answered with. */
  missing: string;
};
const GONE = "File does not exist.";
const SHAPES: [Parameters<typeof from>[0][], Shape][] = [
  [["1.0.128", "2.0.76"], { tool: "Task", prompts: true, lines: true, later: false, missing: GONE }],
  [["2.0.42", "2.0.50"], { tool: "Task", prompts: false, lines: true, later: false, missing: GONE }],
  [["2.1.29", "2.1.42"], { tool: "Task", prompts: true, lines: false, later: false, missing: GONE }],
  [
    ["2.1.110"],
    {
      tool: "Agent",
      prompts: true,
      lines: false,
      later: false,
      missing: `${GONE} Note: your current working directory is CWD.`,
    },
  ],
  [
    ["2.1.330"],
    {
      tool: "Agent",
      prompts: true,
      lines: false,
      later: true,
      missing: `${GONE} Note: your current working directory is CWD.`,
    },
  ],
];

/** An agent's thread below its call. */
function agent(
  description: string,
  prompt: string,
  shape: Shape,
  lines: string[],
  type = "general-purpose",
  state = "done",
): string {
  const margin = "      ";
  const told = shape.prompts ? [`turn 1: ${prompt}`, ...lines.map((line) => `  ${line}`)] : lines;
  return [
    `  ${shape.tool} ${description} (${type})${state === "interrupted" ? " → stopped" : ""}`,
    `    agent ${type} “${description}” ${state}`,
    ...told.map((line) => margin + line),
  ].join("\n");
}
const explores = ({ lines }: Shape) => [
  "thinks: List the files first.",
  "Bash ls → 10 lines",
  `Read hello.py${lines ? " → 7 lines" : ""}`,
  `Read prices.json${lines ? " → 5 lines" : ""}`,
  "“It is a tiny shop: a greeting and two prices.”",
];
const slow = ["Bash sleep 1; echo slow → slow", "“Slow answer from a sub-agent.”"];
const failing = ({ missing }: Shape, cwd: string) => [
  `Read missing.txt → ${missing.replace("CWD", cwd)}`,
  "“The file is missing.”",
];
const said = {
  explored: "answer: It is a tiny shop: a greeting and two prices.",
  slow: "answer: Slow answer from a sub-agent.",
  failed: "answer: The file is missing.",
};
const notified = (line: string) => line.replace("answer", "answer, notified");

/** Lines of a test, whatever they are made of, as one transcript. */
function lines(...parts: (string | false)[]): string {
  return parts.filter((part) => part !== false).join("\n");
}

scenario(
  "task-one",
  ...SHAPES.map(([versions, shape]): [typeof versions, string] => [
    versions,
    lines(
      "turn 1: Please do it.",
      "  “I'll hand this to a sub-agent.”",
      agent("Explore the project", "Look at the project and say what it does.", shape, explores(shape)),
      !shape.later && `  ${said.explored}`,
      "  “The sub-agent says: a tiny shop.”",
      shape.later && `  ${notified(said.explored)}\n  “Done.”`,
    ),
  ]),
);

const foreground: Shape = { tool: "Agent", prompts: true, lines: false, later: false, missing: GONE };
scenario("task-foreground", [
  ["2.1.110", "2.1.330"],
  lines(
    "turn 1: Please do it.",
    "  “I'll hand this to a sub-agent.”",
    agent(
      "Explore the project",
      "Look at the project and say what it does.",
      foreground,
      explores(foreground),
    ),
    `  ${said.explored}`,
    "  “The sub-agent says: a tiny shop.”",
  ),
]);

const three = (shape: Shape, cwd: string) =>
  lines(
    "  “Two sub-agents at once.”",
    agent("Explore code", "Explore the code.", shape, explores(shape)),
    agent("Slow check", "Check slowly.", shape, slow),
    agent("Failing check", "Check the missing file.", shape, failing(shape, cwd)),
    !shape.later && `  ${said.failed}\n  ${said.explored}\n  ${said.slow}`,
    "  “All three sub-agents have answered.”",
  );
scenario(
  "task-parallel",
  ...SHAPES.map(([versions, shape]): [typeof versions, string] => [
    versions,
    lines(
      "turn 1: Please do it.",
      three(shape, "/home/dev/shop"),
      shape.later &&
        `  ${notified(said.failed)}\n  “Done.”\n  ${notified(said.explored)}\n  “Done.”\n  ${notified(said.slow)}\n  “Done.”`,
    ),
  ]),
);

// Agents start no agents up to 2.1.42, and in 2.1.110.
const alone = "“No Task tool in a sub-agent here; answering alone.”";
scenario(
  "task-nested",
  ...SHAPES.filter(([, { later }]) => !later).map(([versions, shape]): [typeof versions, string] => [
    versions,
    lines(
      "turn 1: Please do it.",
      agent("Outer agent", "Delegate further.", shape, [alone]),
      `  answer: ${alone.slice(1, -1)}`,
      "  “Nested work is done.”",
    ),
  ]),
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    Agent Outer agent (general-purpose)
      agent general-purpose “Outer agent” done
        turn 1: Delegate further.
          Agent Inner agent (general-purpose)
            agent general-purpose “Inner agent” done
              turn 1: Answer quickly.
                “Quick answer from a sub-agent.”
          answer: Quick answer from a sub-agent.
          “The outer agent is done.”
    “Nested work is done.”
    answer, notified: The outer agent is done.
    “Done.”
`,
  ],
);

scenario(
  "task-explore-type",
  [
    ["1.0.128"],
    `
  turn 1: Please do it.
    Task Explore quickly (Explore) → Agent type 'Explore' not found. Available agents: general-purpose, statusline-setup, outp…
    “Explored.”
`,
  ],
  ...SHAPES.map(([versions, shape]): [typeof versions, string] => [
    versions.filter((version) => version !== "1.0.128"),
    lines(
      "turn 1: Please do it.",
      agent("Explore quickly", "Find python files.", shape, explores(shape), "Explore"),
      !shape.later && `  ${said.explored}`,
      "  “Explored.”",
      shape.later && `  ${notified(said.explored)}\n  “Done.”`,
    ),
  ]),
);

// The parameter came with 2.0.76: before, the agent simply ran. 2.1.29 never brings the notification to the model.
const waited = (shape: Shape, ...after: string[]) =>
  lines(
    "turn 1: Please do it.",
    agent("Background check", "Check slowly.", shape, slow),
    ...after.map((line) => `  ${line}`),
  );
const shapeOf = (version: Parameters<typeof from>[0]) =>
  (SHAPES.find(([versions]) => versions.includes(version)) as (typeof SHAPES)[0])[1];
const waits = "Bash sleep 3 → no output";
scenario(
  "task-background",
  [["1.0.128"], waited(shapeOf("1.0.128"), said.slow, waits, "“The background agent has been waited for.”")],
  [
    ["2.0.42", "2.0.50"],
    waited(shapeOf("2.0.42"), said.slow, waits, "“The background agent has been waited for.”"),
  ],
  [["2.0.76"], waited(shapeOf("2.0.76"), waits, "TaskOutput ID → completed", "“Background agent finished.”")],
  [["2.1.29"], waited(shapeOf("2.1.29"), waits, "TaskOutput ID → completed", "“Background agent finished.”")],
  [
    ["2.1.42"],
    waited(
      shapeOf("2.1.42"),
      waits,
      "TaskOutput ID → completed",
      "“Background agent finished.”",
      notified(said.slow),
      "“Done.”",
    ),
  ],
  [
    ["2.1.110"],
    waited(
      shapeOf("2.1.110"),
      waits,
      notified(said.slow),
      "TaskOutput ID → completed",
      "“Background agent finished.”",
    ),
  ],
  [
    ["2.1.330"],
    waited(shapeOf("2.1.330"), waits, notified(said.slow), "“The background agent has been waited for.”"),
  ],
);

const quick = "“Quick answer from a sub-agent.”";
const resumed = (explored: string[], hasResult: boolean) =>
  lines(
    "turn 1: Please do it.",
    "  Task First round (general-purpose)",
    "    agent general-purpose “First round” done",
    "      turn 1: Answer quickly.",
    `        ${quick}`,
    "      turn 2: Now explore.",
    ...explored.map((line) => `        ${line}`),
    "  answer: Quick answer from a sub-agent.",
    "  Task Second round (general-purpose)",
    hasResult && `  ${said.explored}`,
    `  ${waits}`,
    "  “The agent was resumed.”",
  );
scenario(
  "task-resume",
  // No such parameter yet: a second agent.
  ...(["1.0.128", "2.1.110"] as const).map((version): [[typeof version], string] => [
    [version],
    lines(
      "turn 1: Please do it.",
      agent("First round", "Answer quickly.", shapeOf(version), [quick]),
      "  answer: Quick answer from a sub-agent.",
      agent("Second round", "Now explore.", shapeOf(version), explores(shapeOf(version))),
      `  ${said.explored}`,
      `  ${waits}`,
      "  “The agent was resumed.”",
    ),
  ]),
  [
    ["2.0.42", "2.0.50"],
    lines(
      "turn 1: Please do it.",
      agent("First round", "Answer quickly.", shapeOf("2.0.42"), [quick]),
      "  answer: Quick answer from a sub-agent.",
      "  Task Second round (general-purpose) → No transcript found for agent ID: unknown",
      `  ${waits}`,
      "  “The agent was resumed.”",
    ),
  ],
  [["2.0.76"], resumed(explores(shapeOf("2.0.76")), true)],
  [["2.1.29", "2.1.42"], resumed(explores(shapeOf("2.1.29")), true)],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    Agent First round (general-purpose)
      agent general-purpose “First round” done
        turn 1: Answer quickly.
          “Quick answer from a sub-agent.”
    ToolSearch select:SendMessage → 1 tool loaded
    SendMessage to ID (Now explore.)
    answer, notified: Quick answer from a sub-agent.
    Bash sleep 3 → no output
    “The agent was resumed.”
`,
  ],
);

const ticking = (look: string, stop: string, told = "") => `turn 2: Bash.
  Bash for i in 1 2 3; do echo tick $i; sleep 0.3; done → background
  Bash sleep 2 → no output${told}
  ${look}
  Bash sleep 60 → background
  ${stop}
  “The background command ticked three times; the sleep was…”`;
const ticked = `
  [Background command "Tick in the background" completed (e…]`;
const delegated = (version: Parameters<typeof from>[0], second: string, after = "") =>
  lines("turn 1: Delegate.", three(shapeOf(version), "/home/dev/tui-agents") + after, second);
scenario(
  "tui-agents",
  [["1.0.128"], delegated("1.0.128", ticking("BashOutput ID → completed, exit 0", "KillShell ID → stopped"))],
  [
    ["2.0.42", "2.0.50"],
    delegated("2.0.42", ticking("BashOutput ID → completed, exit 0", "KillShell ID → stopped")),
  ],
  [["2.0.76"], delegated("2.0.76", ticking("TaskOutput ID → completed, exit 0", "KillShell ID → stopped"))],
  [
    ["2.1.29"],
    delegated(
      "2.1.29",
      `${ticking("TaskOutput ID → completed, exit 0", "TaskStop ID → stopped")}${ticked}\n  “Done.”`,
    ),
  ],
  [
    ["2.1.42"],
    delegated(
      "2.1.42",
      `${ticking("TaskOutput ID → completed, exit 0", "TaskStop ID (sleep 60) → stopped")}${ticked}\n  “Done.”`,
    ),
  ],
  [
    ["2.1.110"],
    delegated(
      "2.1.110",
      ticking("TaskOutput ID → No task found with ID", "TaskStop ID (sleep 60) → stopped", ticked),
    ),
  ],
  // In the terminal 2.1.330 does write an agent's structured results.
  [
    ["2.1.330"],
    lines(
      "turn 1: Delegate.",
      three({ ...shapeOf("2.1.330"), lines: true }, "/home/dev/tui-agents"),
      `  ${notified(said.failed)}\n  “Done.”\n  ${notified(said.explored)}\n  “Done.”`,
      ticking(
        "Bash echo no output tool → no output tool",
        "ToolSearch select:TaskStop → 1 tool loaded\n  TaskStop ID (sleep 60) → stopped",
        `\n  ${notified(said.slow)}${ticked}`,
      ),
    ),
  ],
);

const stopped = ["Bash sleep 8; echo slow → stopped", "[warning: Interrupted during a tool call]"];
const interrupted = (shape: Shape) =>
  lines(
    "turn 1: Delegate.",
    "  “Two slow sub-agents.”",
    agent("Slow check", "Check slowly.", shape, stopped, "general-purpose", "interrupted"),
    agent("Slow check two", "Check slowly.", shape, stopped, "general-purpose", "interrupted"),
    "  [warning: Interrupted during a tool call]",
    "turn 2: Carry on.",
    "  “Hello! This is **shop**, a small Python project. - `hell…”",
  );
const twice = (transcript: string) => `${transcript}\n--\n${transcript}`;
scenario(
  "tui-agent-interrupt",
  [["1.0.128", "2.1.29", "2.1.42"], interrupted(shapeOf("2.1.29"))],
  [["2.0.42", "2.0.50"], interrupted(shapeOf("2.0.42"))],
  // Recorded twice.
  [["2.0.76"], twice(interrupted(shapeOf("2.0.76")))],
  [["2.1.110"], interrupted(shapeOf("2.1.110"))],
  // The agents run in the background: the key came too late to stop them.
  [
    ["2.1.330"],
    `
  turn 1: Delegate.
    “Two slow sub-agents.”
    Agent Slow check (general-purpose)
      agent general-purpose “Slow check” done
        turn 1: Check slowly.
          Bash sleep 8; echo slow → slow
          “Very slow answer from a sub-agent.”
    Agent Slow check two (general-purpose)
      agent general-purpose “Slow check two” done
        turn 1: Check slowly.
          Bash sleep 8; echo slow → slow
          “Very slow answer from a sub-agent.”
    “Both slow sub-agents are done.”
    answer, notified: Very slow answer from a sub-agent.
    answer, notified: Very slow answer from a sub-agent.
    “Done.”
  turn 2: Carry on.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`,
  ],
);

scenario(
  "workflow",
  [
    ["2.1.110"],
    `
  turn 1: Please do it.
    “No Workflow tool.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    Workflow look-around (Look at the project twice)
      agent workflow-subagent “look:code” done
        turn 1: [Workflow harness — computed task] The task text below w…
          thinks: List the files first.
          Bash ls → 10 lines
          Read hello.py
          Read prices.json
          “It is a tiny shop: a greeting and two prices.”
      agent workflow-subagent “look:quick” done
        turn 1: [Workflow harness — computed task] The task text below w…
          “Quick answer from a sub-agent.”
      agent workflow-subagent “check” done
        turn 1: [Workflow harness — computed task] The task text below w…
          Bash sleep 1; echo slow → slow
          “Slow answer from a sub-agent.”
    Bash sleep 6 → no output
    [Dynamic workflow "Look at the project twice" completed] {"a":["It is a tiny shop: a greeting and two prices.","Q…
    “The workflow has been waited for.”
`,
  ],
);
