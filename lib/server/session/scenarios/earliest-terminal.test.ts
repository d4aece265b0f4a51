import { earliestScenarios } from "@/lib/testing/recordings";

// 1.0.60 in the terminal, and what it writes when it goes on with a session or runs a command.
earliestScenarios({
  "custom-command": `
    [/greet Ada]
    “Hello from the custom slash command!”
  `,
  "skill-direct": `
    turn 1: /tidy
      “Tidied by a direct call of the skill.”
  `,
  "cost-command": `
    [/cost]
    [Output] Total cost: $0.0000 Total duration (API): 0s Total durat…
    “Understood.”
  `,
  autocompact: `
    turn 1: Please do it.
      “Reading.”
      Read hello.py → 7 lines
      “After the automatic compaction I go on.”
  `,
  resume: `
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    --
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: Second question.
      “And a second answer in the same session.”
    --
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: Second question.
      “And a second answer in the same session.”
    turn 3: Third question.
      “A third answer, after a fork or a resume.”
    --
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
      [/compact]
      [Output] Compacted. ctrl+r to see full summary
      “Done.”
    --
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: After the compaction.
      “And a second answer in the same session.”
  `,
  "compact-print": `
    turn 1: Please do it.
      thinks: The user wants the greeting fixed. I should read the fil…
      “I'll read the file first.”
      Read hello.py → 7 lines
      Edit hello.py → all +3 −3
      Write greet_test.py → created +6 −0
      Read README.md → 4 lines
      Write README.md → +4 −0
      “The greeting is fixed, a test is added, and the README s…”
    --
    turn 1: Please do it.
      thinks: The user wants the greeting fixed. I should read the fil…
      “I'll read the file first.”
      Read hello.py
      Edit hello.py → all
      Write greet_test.py → created
      Read README.md
      Write README.md
      “The greeting is fixed, a test is added, and the README s…”
      [/compact keep the file names]
      [Output] Compacted. ctrl+r to see full summary
      “The greeting is fixed, a test is added, and the README s…”
    --
    turn 1: Please do it.
      thinks: The user wants the greeting fixed. I should read the fil…
      “I'll read the file first.”
      Read hello.py
      Edit hello.py → all
      Write greet_test.py → created
      Read README.md
      Write README.md
      “The greeting is fixed, a test is added, and the README s…”
    turn 2: Go on.
      Read big.txt (100–104) → 5 of 2,601 lines
      Read big.txt → 2,601 lines
      Read empty.txt → empty
      “Done.”
  `,
  "tui-basic": `
    turn 1: What is this?
      “Hello! This is **shop**, a small Python project. - \`hell…”
      [! echo from bash mode; ls nothing-here]
      [Output] from bash mode ls: cannot access 'nothing-here': No such…
      [/cost]
      [Output] [2mTotal cost: $0.0135[22m [2mTotal duration (API): 0…
    turn 2: please
      “And a second answer in the same session.”
      [/greet Bob]
      “Hello from the custom slash command!”
      ── compacted (?) ──
      [/compact]
      [Output] Compacted. ctrl+r to see full summary
    turn 3: After the compaction.
      “A third answer, after a fork or a resume.”
    --
    [/clear]
    turn 1: After the clear.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: /rename my renamed session
      “Done.”
      [/export]
      [Output] Export cancelled
  `,
  "tui-rewind": `
    turn 1: First prompt.
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
    fork: 2 branches, reading 2
    turn 2: Second prompt.
      “And a second answer in the same session.”
    turn 3: A branched prompt.
      “A third answer, after a fork or a resume.”
    turn 4: Going on in the branch.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    another branch: First prompt. / Second prompt.
  `,
  "tui-rewind-code": `
    turn 1: Zeroth prompt.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    fork: 2 branches, reading 2
    turn 2: First prompt.
      thinks: The user wants the greeting fixed. I should read the fil…
      “I'll read the file first.”
      Read hello.py → 7 lines
      “The greeting is misspelled. Fixing it.”
      Edit hello.py → String to replace not found in file. String: print("Helo, " + name)
      Edit hello.py → String to replace not found in file. String: name
      Write greet_test.py → +0 −0
      Read README.md → 8 lines
      Write README.md → +0 −0
      “The greeting is fixed, a test is added, and the README s…”
    turn 3: A different first prompt.
      Read prices.json → 5 lines
      MultiEdit prices.json → 2 edits +2 −2
      “Both prices were raised.”
    another branch: Zeroth prompt. / First prompt. / Second prompt.
  `,
  "tui-interrupt": `
    turn 1: Stream long.
      [warning: Interrupted]
    turn 2: Run slow.
      “Starting something slow, so that you can queue messages…”
      Bash sleep 4; echo done → stopped
      [warning: Interrupted during a tool call]
    turn 3: Carry on.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
  "tui-queue": `
    turn 1: Be busy.
      “Starting something slow, so that you can queue messages…”
      Bash sleep 4; echo done → done
      “The slow command is done.”
    turn 2: And then.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
  "tui-perm": `
    turn 1: Please.
      “I need to write outside.”
      Bash touch /home/dev/outside.txt && curl -s http://127.0.0.1:… → Error
      Write denied.txt → denied
      [warning: Interrupted during a tool call]
    turn 2: Carry on.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
  "tui-plan": `
    turn 1: Plan it.
      “Let me plan.”
      Read hello.py → 7 lines
      “Planning without a plan file.”
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → accepted
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → denied
      [warning: Interrupted during a tool call]
  `,
  "tui-plan-keep": `
    turn 1: Plan it.
      “Let me plan.”
      Read hello.py → 7 lines
      “Planning without a plan file.”
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → denied
      [warning: Interrupted during a tool call]
    turn 2: Plan it again.
      “Let me plan.”
      Read hello.py → 7 lines
      “Planning without a plan file.”
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → accepted
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → denied
      [warning: Interrupted during a tool call]
  `,
  "tui-agents": `
    turn 1: Delegate.
      “Two sub-agents at once.”
      Task Explore code (general-purpose)
        agent general-purpose “Explore code” done
          turn 1: Explore the code.
            thinks: List the files first.
            Bash ls → 10 lines
            Read hello.py → 7 lines
            Read prices.json → 5 lines
            “It is a tiny shop: a greeting and two prices.”
      Task Slow check (general-purpose)
        agent general-purpose “Slow check” done
          turn 1: Check slowly.
            Bash sleep 1; echo slow → slow
            “Slow answer from a sub-agent.”
      Task Failing check (general-purpose)
        agent general-purpose “Failing check” done
          turn 1: Check the missing file.
            Read missing.txt → File does not exist.
            “The file is missing.”
      answer: The file is missing.
      answer: It is a tiny shop: a greeting and two prices.
      answer: Slow answer from a sub-agent.
      “All three sub-agents have answered.”
    turn 2: Bash.
      Bash for i in 1 2 3; do echo tick $i; sleep 0.3; done → InputValidationError: Bash failed due to the following issue: An unexpected parameter \`ru…
      Bash sleep 2 → no output
      Bash echo no output tool → no output tool
      Bash sleep 60 → InputValidationError: Bash failed due to the following issue: An unexpected parameter \`ru…
      “no kill tool”
  `,
  "tui-todo": `
    [/clear]
    [/model sonnet]
    [Output] Set model to [1msonnet (claude-sonnet-4-20250514)[22m
    turn 1: Same.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: # remember to be brief
      “Done.”
    --
    turn 1: Make a list.
      TodoWrite 0 of 2 done (next: Read the code) → InputValidationError: TodoWrite failed due to the following issues: The required paramete…
      TodoWrite 1 of 2 done (next: Fix the greeting) → InputValidationError: TodoWrite failed due to the following issues: The required paramete…
      TodoWrite list emptied
      “The list is done.”
    turn 2: Search.
      “Searching in parallel.”
      Glob **/*.py → 2 files
      Grep def → 2 lines
      Grep shop → 3 files
      Grep e → 32 in 6 files
      Grep zzz_nothing → 0 files
      LS .
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
  `,
  "tui-agent-interrupt": `
    turn 1: Delegate.
      “Two slow sub-agents.”
      Task Slow check (general-purpose) → stopped
      Task Slow check two (general-purpose) → stopped
      [warning: Interrupted during a tool call]
    turn 2: Carry on.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
  "tui-image": `
    turn 1: [Image #1] What is in the picture? [image]
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 2: pasted line 0 pasted line 1 pasted line 2 pasted line 3…
      “And a second answer in the same session.”
  `,
  "tui-resume": `
    turn 1: Be busy.
      “Starting something slow, so that you can queue messages…”
      Bash sleep 4; echo done → done
      “The slow command is done.”
    turn 2: And then.
      “Hello! This is **shop**, a small Python project. - \`hell…”
    turn 3: Back again.
      “And a second answer in the same session.”
  `,
  "tui-error": `
    turn 1: Overload.
      “After two overloads.”
    turn 2: Bad.
      [error: API error] API Error: 400 {"type":"error","error":{"type":"invalid_…
    turn 3: Hello.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
});
