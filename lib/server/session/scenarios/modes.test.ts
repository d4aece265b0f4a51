import { ALL, from, scenario, upTo } from "@/lib/testing/recordings";

/** The plan of all recordings, whose heading is only "Plan". */
const PLANNED = "1. Fix the typo in `hello.py` 2. Add a test";

// No Skill tool in 1.0.128; up to 2.0.50 the skill's call leaves a command line as well.
scenario(
  "skill",
  [
    ["1.0.128"],
    `
  turn 1: Please do it.
    SlashCommand /greet Ada
    [/greet Ada]
    “Hello from the custom slash command!”
`,
  ],
  [
    ["2.0.42", "2.0.50"],
    `
  turn 1: Please do it.
    Skill tidy (now)
    [/tidy]
    Bash echo tidied → tidied
    “The skill was followed.”
`,
  ],
  [
    from("2.0.76"),
    `
  turn 1: Please do it.
    Skill tidy (now)
    Bash echo tidied → tidied
    “The skill was followed.”
`,
  ],
);
scenario(
  "slashcommand-tool",
  [
    upTo("2.0.50"),
    `
  turn 1: Please do it.
    SlashCommand /greet Ada
    [/greet Ada]
    “Hello from the custom slash command!”
`,
  ],
  [
    from("2.0.76"),
    `
  turn 1: Please do it.
    “No SlashCommand tool.”
`,
  ],
);

scenario(
  "ask",
  [
    ["1.0.128", "2.0.42", "2.0.50", "2.1.330"],
    `
  turn 1: Please do it.
    “No AskUserQuestion.”
`,
  ],
  [
    ["2.0.76", "2.1.29", "2.1.42", "2.1.110"],
    `
  turn 1: Please do it.
    AskUserQuestion Which drink should the shop sell first? → nobody to ask
    “Thank you for the answer.”
`,
  ],
);

scenario(
  "plan",
  [
    upTo("2.0.50"),
    `
  turn 1: Please do it.
    “Let me plan.”
    Read hello.py → 7 lines
    “Planning without a plan file.”
    ExitPlanMode ${PLANNED} → nobody to ask
    ExitPlanMode ${PLANNED} → nobody to ask
    Edit hello.py → denied
    “The plan is carried out.”
`,
  ],
  [
    ["2.0.76", "2.1.29", "2.1.42"],
    `
  turn 1: Please do it.
    “Let me plan.”
    Read hello.py → 7 lines
    Write ~/.claude/plans/ID → created +4 −0
    ExitPlanMode ${PLANNED} → nobody to ask
    Edit hello.py → denied
    “The plan is carried out.”
`,
  ],
  [
    ["2.1.110"],
    `
  turn 1: Please do it.
    [Plan mode]
    “Let me plan.”
    Read hello.py → 7 lines
    Write ~/.claude/plans/ID → created +4 −0
    ExitPlanMode ${PLANNED} → nobody to ask
    Edit hello.py → denied
    “The plan is carried out.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    [Plan mode]
    “Let me plan.”
    Read hello.py → 7 lines
    Write ~/.claude/plans/ID → created +4 −0
    “No ExitPlanMode.”
`,
  ],
);

const worktree = (enter: string, leave: string) => `
  turn 1: Please do it.${enter}
    EnterWorktree exp → entered
    Bash pwd; git branch --show-current → 2 lines
    Write new.txt → created +1 −0${leave}
    ExitWorktree worktree-exp (left worktree, changes kept)
    Bash pwd → /home/dev/shop
    “Back from the worktree.”
`;
scenario(
  "worktree-tool",
  [["2.1.110"], worktree("", "")],
  [
    ["2.1.330"],
    worktree(
      `
    ToolSearch select:EnterWorktree → 1 tool loaded`,
      `
    ToolSearch select:ExitWorktree → 1 tool loaded`,
    ),
  ],
);

scenario(
  "monitor",
  [
    ["2.1.110"],
    `
  turn 1: Please do it.
    “No Monitor tool.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    ToolSearch select:Monitor → 1 tool loaded
    Monitor for i in 1 2 3; do echo tick $i; sleep 0.4; done
    Bash sleep 3 → no output
    [Monitor event: "Three ticks"] tick 1
    [Monitor event: "Three ticks"] tick 2
    [Monitor event: "Three ticks"] tick 3
    [Monitor "Three ticks" stream ended]
    “The monitor has ticked.”
`,
  ],
);

for (const name of ["dots", "space", "cjk", "accent", "case", "emoji", "long", "hidden", "at"]) {
  scenario(`slug-${name}`, [
    ALL,
    `
  turn 1: Please do it.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`,
  ]);
}
for (const name of ["worktree", "model-arg"]) {
  scenario(name, [
    ALL,
    `
  turn 1: Please do it.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`,
  ]);
}
