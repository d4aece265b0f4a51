import { earliestScenarios } from "@/lib/testing/recordings";

// 1.0.60 in print mode. It sends its first calls and results twice, so that the scripted model skips every second step.
earliestScenarios({
  "hello model-arg slug-dots slug-space slug-cjk slug-accent slug-case slug-emoji slug-long slug-hidden slug-at worktree": `
    turn 1: Please do it.
      “Hello! This is **shop**, a small Python project. - \`hell…”
  `,
  "edit-file": `
    turn 1: Please do it.
      thinks: The user wants the greeting fixed. I should read the fil…
      “I'll read the file first.”
      Read hello.py → 7 lines
      Edit hello.py → all +3 −3
      Write greet_test.py → created +6 −0
      Read README.md → 4 lines
      Write README.md → +4 −0
      “The greeting is fixed, a test is added, and the README s…”
  `,
  "read-range": `
    turn 1: Please do it.
      Read big.txt (100–104) → 5 of 2,601 lines
      Read big.txt → 2,601 lines
      Read empty.txt → empty
      “Done.”
  `,
  multiedit: `
    turn 1: Please do it.
      Read prices.json → 5 lines
      “Both prices were raised.”
  `,
  bash: `
    turn 1: Please do it.
      “Running a few commands.”
      Bash echo out; echo err >&2 → 2 lines
      Bash printf "\\033[31mred\\033[0m plain\\n"; true → [31mred[0m plain
      Bash for i in $(seq 1 6000); do echo "line $i of a long outpu… → 687 lines
      Bash sleep 20 → timed out
      Bash true → no output
      “All commands ran; one failed and one timed out.”
  `,
  "bash-background": `
    turn 1: Please do it.
      Bash for i in 1 2 3; do echo tick $i; sleep 0.3; done → InputValidationError: Bash failed due to the following issue: An unexpected parameter \`ru…
      Bash echo no output tool → no output tool
      Bash sleep 60 → InputValidationError: Bash failed due to the following issue: An unexpected parameter \`ru…
      “no kill tool”
  `,
  search: `
    turn 1: Please do it.
      “Searching in parallel.”
      Glob **/*.py → 2 files
      Grep def → 2 lines
      Grep shop → 3 files
      Grep e → 32 in 6 files
      Grep zzz_nothing → 0 files
      “Two Python files, one function each.”
  `,
  todo: `
    turn 1: Please do it.
      TodoWrite 0 of 2 done (next: Read the code) → InputValidationError: TodoWrite failed due to the following issues: The required paramete…
      TodoWrite list emptied
      “The list is done.”
  `,
  "task-one": `
    turn 1: Please do it.
      “I'll hand this to a sub-agent.”
      Task Explore the project (general-purpose)
        agent general-purpose “Explore the project” done
          turn 1: Look at the project and say what it does.
            thinks: List the files first.
            Bash ls → 10 lines
            Read hello.py → 7 lines
            Read prices.json → 5 lines
            “It is a tiny shop: a greeting and two prices.”
      answer: It is a tiny shop: a greeting and two prices.
      “Done.”
  `,
  "task-parallel": `
    turn 1: Please do it.
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
      “Done.”
  `,
  "task-nested": `
    turn 1: Please do it.
      Task Outer agent (general-purpose)
        agent general-purpose “Outer agent” done
          turn 1: Delegate further.
            “No Task tool in a sub-agent here; answering alone.”
      answer: No Task tool in a sub-agent here; answering alone.
      “Done.”
  `,
  "task-explore-type": `
    turn 1: Please do it.
      Task Explore quickly (Explore) → Agent type 'Explore' not found. Available agents: general-purpose
      “Done.”
  `,
  "task-background": `
    turn 1: Please do it.
      Task Background check (general-purpose)
        agent general-purpose “Background check” done
          turn 1: Check slowly.
            Bash sleep 1; echo slow → slow
            “Slow answer from a sub-agent.”
      answer: Slow answer from a sub-agent.
      “The background agent has been waited for.”
  `,
  "task-resume": `
    turn 1: Please do it.
      Task First round (general-purpose)
        agent general-purpose “First round” done
          turn 1: Answer quickly.
            “Quick answer from a sub-agent.”
      answer: Quick answer from a sub-agent.
      Bash sleep 3 → no output
      “The agent was resumed.”
  `,
  thinking: `
    turn 1: Please do it.
      thinks: First I think about the question at some length. Then I…
      “A first thought-out sentence.”
      Bash echo thought → thought
      “Done.”
  `,
  "thinking-only": `
    turn 1: Please do it.
      thinks: Only a thought and no text.
  `,
  "empty stream-json": `
    not a conversation
  `,
  "max-tokens": `
    turn 1: Please do it.
      “This answer is cut off because the limit”
      [error: API error] API Error: Claude's response exceeded the 32000 output t…
  `,
  refusal: `
    turn 1: Please do it.
      “I can”
      [error: API error] API Error: Claude Code is unable to respond to this requ…
  `,
  "stop-sequence": `
    turn 1: Please do it.
      “Stopped on a sequence.”
  `,
  "pause-turn": `
    turn 1: Please do it.
      “A paused turn.”
  `,
  image: `
    turn 1: Please do it.
      “Looking at the picture.”
      Read logo.png → image [image]
      NotebookEdit note.ipynb (cell c1)
      “The logo is a small red square.”
  `,
  "tool-error": `
    turn 1: Please do it.
      Read does-not-exist.txt → File does not exist.
      NoSuchTool a: 1 → No such tool available: NoSuchTool
      Bash  → InputValidationError: Bash failed due to the following issues: The required parameter \`co…
      Read prices.json → 5 lines
      Edit prices.json → String to replace not found in file. String: not in the file
      “Five tool calls failed, as they should.”
  `,
  denied: `
    turn 1: Please do it.
      “I need to write outside.”
      Bash touch /home/dev/outside.txt && curl -s http://127.0.0.1:… → denied
      “Permission was not given, so I stopped.”
  `,
  webfetch: `
    turn 1: Please do it.
      WebFetch http://127.0.0.1:9/nothing → Domain 127.0.0.1 is not allowed to be fetched
      “The page could not be fetched.”
  `,
  skill: `
    turn 1: Please do it.
      “No Skill tool.”
  `,
  "slashcommand-tool": `
    turn 1: Please do it.
      “No SlashCommand tool.”
  `,
  unicode: `
    turn 1: Please do it.
      “Ünïcödé — 日本語, emoji 👩‍👩‍👧, RTL: שלום, a NUL-free con…”
      Bash printf "caf\\xc3\\xa9 \\xf0\\x9f\\x98\\x80 \\xff\\xfe raw\\n" → café 😀 �� raw
      “Done.”
  `,
  "parallel-tools": `
    turn 1: Please do it.
      thinks: Three reads at once.
      “Reading three files at once.”
      Read hello.py → 7 lines
      Read prices.json → 5 lines
      Bash sleep 0.5; echo late → late
      Read README.md → 4 lines
      “Done.”
  `,
  "api-429": `
    turn 1: Please do it.
      “After one rate limit error.”
  `,
  "api-500": `
    turn 1: Please do it.
      “After two internal errors.”
  `,
  "api-529": `
    turn 1: Please do it.
      “After two overloads.”
  `,
  "api-reset": `
    turn 1: Please do it.
      “After a reset connection.”
  `,
  "api-400": `
    turn 1: Please do it.
      [error: API error] API Error: 400 {"type":"error","error":{"type":"invalid_…
  `,
  "api-401": `
    turn 1: Please do it.
      [error: API error] Invalid API key · Fix external API key
  `,
  "api-prompt-too-long": `
    turn 1: Please do it.
      [error: API error] Prompt is too long
  `,
  "api-529-always": `
    turn 1: Please do it.
      [error: API error] API Error: 529 {"type":"error","error":{"type":"overload…
  `,
  "stream-cut": `
    turn 1: Please do it.
      “This stream is cut after its first block.”
      Bash echo never → never
      “Done.”
  `,
  "stream-error": `
    turn 1: Please do it.
      “This stream errors after its first block.”
  `,
  plan: `
    turn 1: Please do it.
      “Let me plan.”
      Read hello.py → 7 lines
      ExitPlanMode 1. Fix the typo in \`hello.py\` 2. Add a test → nobody to ask
      Edit hello.py → denied
      “The plan is carried out.”
  `,
  ask: `
    turn 1: Please do it.
      “No AskUserQuestion.”
  `,
  mcp: `
    turn 1: Please do it.
      shop:price item: tea
      shop:fail  → the shop is closed
      “Tea costs 4.”
  `,
  hooked: `
    turn 1: Please do it.
      Bash echo hooked → hooked
      “The hooks ran.”
  `,
});
