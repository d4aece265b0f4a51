import { ALL, from, scenario, upTo } from "@/lib/testing/recordings";

const HELLO = "“Hello! This is **shop**, a small Python project. - `hell…”";
const SECOND = "“And a second answer in the same session.”";
const THIRD = "“A third answer, after a fork or a resume.”";
const EDITED = `thinks: The user wants the greeting fixed. I should read the fil…
    “I'll read the file first.”
    Read hello.py → 7 lines
    “The greeting is misspelled. Fixing it.”
    Edit hello.py → +1 −1
    Edit hello.py → all +3 −3
    Write greet_test.py → created +6 −0
    Read README.md → 4 lines
    Write README.md → +4 −0
    “The greeting is fixed, a test is added, and the README s…”`;

const compacted = (spacer: boolean) => `── compacted (manual) ──
    [/compact]
    [Output] Compacted (ctrl+o to see full summary)${spacer ? "\n    [Said by the client] No response requested." : ""}`;

// `--resume-session-at` came with 2.0.50: before it the third question was the last.
const branched = (spacer: boolean) => `
  turn 1: Please do it.
    ${HELLO}
  fork: 2 branches, reading 2
  turn 2: A branch from the first answer.
    ${THIRD}
    ${compacted(spacer)}
  turn 3: After the compaction.
    ${SECOND}
  another branch: Please do it. / Second question. / Third question.
  --
  turn 1: Please do it.
    ${HELLO}
  turn 2: A branch from the first answer.
    ${THIRD}
  turn 3: A forked question.
    ${THIRD}
  turn 4: A question in the fork.
    ${SECOND}
`;
scenario(
  "resume",
  [
    ["1.0.128", "2.0.42"],
    `
  turn 1: Please do it.
    ${HELLO}
  turn 2: Second question.
    ${SECOND}
  turn 3: Third question.
    ${THIRD}
    ${compacted(true)}
  turn 4: After the compaction.
    ${SECOND}
  --
  turn 1: Please do it.
    ${HELLO}
  turn 2: Second question.
    ${SECOND}
  turn 3: Third question.
    ${THIRD}
  turn 4: A forked question.
    ${THIRD}
  turn 5: A question in the fork.
    ${SECOND}
`,
  ],
  [["2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110"], branched(true)],
  [["2.1.330"], branched(false)],
);

// From 2.1.110 on the files that the client read again behind a compaction are in the log.
const again = (...files: string[]) => files.map((file) => `\n    [Read into the prompt: ${file}`).join("");
const README = "README.md] # shop A tiny shop. ```sh python hello.py ```";
const GREET_TEST = 'greet_test.py] import hello def test_greet(capsys): hello.greet("Ada")…';
const FIXED = 'hello.py] def greet(who): print("Hello, " + who + "!") if __who__…';
const TYPO = 'hello.py] def greet(name): print("Helo, " + name) if __name__ == "…';

const autocompact = (files: string) => `
  turn 1: Please do it.
    “Reading.”
    Read hello.py → 7 lines
    “Reading more, the context is nearly full.”
    Read big.txt → 2,601 lines
    ── compacted (auto) ──${files}
    “Understood.”
`;
scenario(
  "autocompact",
  [upTo("2.1.42"), autocompact("")],
  [["2.1.110"], autocompact(`${again(TYPO)}\n    (compact file reference)`)],
  // `preservedMessages` names three messages before the boundary that were kept: they stand above it, once.
  [["2.1.330"], autocompact(again(TYPO))],
);

const compactPrint = (files: string, spacer: boolean) => `
  turn 1: Please do it.
    ${EDITED}
    ── compacted (manual) ──
    [/compact keep the file names]
    [Output] Compacted (ctrl+o to see full summary)${files}${spacer ? "\n    [Said by the client] No response requested." : ""}
  turn 2: Go on.
    Read big.txt (100–104) → 5 of 2,601 lines
    Read big.txt → 2,601 lines
    Read empty.txt → empty
    “Read three times.”
`;
const three = again(README, GREET_TEST, FIXED);
scenario(
  "compact-print",
  [upTo("2.1.42"), compactPrint("", true)],
  [["2.1.110"], compactPrint(three, true)],
  [["2.1.330"], compactPrint(three, false)],
);

// In 1.0.128 the prompt that was put back into the input box was sent once more before the new one.
scenario(
  "tui-rewind",
  [
    ["1.0.128"],
    `
  turn 1: First prompt.
    ${EDITED}
  fork: 2 branches, reading 2
  turn 2: Second prompt.
    ${SECOND}
  turn 3: A branched prompt.
    ${THIRD}
  turn 4: Going on in the branch.
    ${HELLO}
  another branch: First prompt. / Second prompt.
`,
  ],
  [
    from("2.0.42"),
    `
  turn 1: First prompt.
    ${EDITED}
  fork: 2 branches, reading 2
  turn 2: A branched prompt.
    ${THIRD}
  turn 3: Going on in the branch.
    ${HELLO}
  another branch: First prompt. / Second prompt.
`,
  ],
);

const rewoundCode = (told: string) => `
  turn 1: Zeroth prompt.
    ${HELLO}
  fork: 2 branches, reading 2
  turn 2: A different first prompt.${told}
    Read prices.json → 5 lines
    Edit prices.json → +1 −1
    Edit prices.json → +1 −1
    “Both prices were raised.”
  another branch: Zeroth prompt. / First prompt. / Second prompt.
`;
scenario(
  "tui-rewind-code",
  [
    ["1.0.128"],
    `
  turn 1: Zeroth prompt.
    ${HELLO}
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
  ],
  [["2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.330"], rewoundCode("")],
  // 2.1.110 tells the model that restoring the code has changed files.
  [
    ["2.1.110"],
    rewoundCode(`
    [Changed outside: /home/dev/tui-rewind-code/README.md] 1 # shop 2 3 A tiny shop.
    [Changed outside: /home/dev/tui-rewind-code/hello.py] 1 def greet(name): 2 print("Helo, " + name) 3 4 5 if __n…`),
  ],
);

// "Summarize from here" is a rewind to before the second prompt with a compaction on it: two ways.
const summarized = (read: string, outcome: string) => `turn 1: What is this?
    ${HELLO}
  fork: 2 branches, reading 2
    ── compacted (manual) ──${three}
  turn 2: Edit.
    thinks: The user wants the greeting fixed. I should read the fil…
    “I'll read the file first.”
    Read hello.py → ${read}
    “The greeting is misspelled. Fixing it.”
    Edit hello.py → String to replace not found in file. String: print("Helo, " + name)
    Edit hello.py → String to replace not found in file. String: name
    Write greet_test.py → +0 −0
    Read README.md → ${outcome}
    Write README.md → +0 −0
    “The greeting is fixed, a test is added, and the README s…”
  turn 3: After summarizing.
    ${THIRD}`;
scenario(
  "tui-extra",
  // The branch continues from before the summary. Its file contains those lines twice: they are shown once.
  [
    ["2.1.110"],
    `
  ${summarized("unchanged", "unchanged")}
  another branch: What is this? / Edit. / Second.
  --
  turn 1: What is this?
    ${HELLO}
  fork: 2 branches, reading 1
  turn 2: Edit.
    ${EDITED}
  turn 3: Second.
    ${SECOND}
    [/branch my-branch]
    [Output] Branched conversation "my-branch (Branch)". You are now…
  turn 4: In the branch.
    ${HELLO}
    [/color blue]
    [Output] Session color set to: blue
    [/add-dir /home/dev/shop/status]
    [Output] Path \u001b[1m/home/dev/shop/status\u001b[22m was not found.
  another branch: What is this? / Edit. / After summarizing.
`,
  ],
  // The branch copies the way behind the summary alone, and once more the 15 lines that were preserved.
  [
    ["2.1.330"],
    `
  ${summarized("7 lines", "8 lines")}
  another branch: What is this? / Edit. / Second.
  --
  ${summarized("7 lines", "8 lines").replace("  fork: 2 branches, reading 2\n", "")}
    [/branch my-branch]
    [Output] Branched session "my-branch". You're now in the new one…
  turn 4: In the branch.
    ${HELLO}
    [/color blue]
    [Output] Session color set to: blue
    [/add-dir /home/dev/shop]
    [Output] Added \u001b[1m/home/dev/shop\u001b[22m as a working directory for…
`,
  ],
);

// `<command-name>` lines are no human turns.
scenario("custom-command", [
  ALL,
  `
  [/greet Ada]
  “Hello from the custom slash command!”
`,
]);
scenario(
  "skill-direct",
  [["1.0.128"], "[Output] Unknown slash command: tidy"],
  [
    ["2.0.76"],
    `
  turn 1: /tidy
    [Output] This slash command can only be invoked by Claude, not di…
`,
  ],
  [
    ["2.0.42", "2.0.50", "2.1.29", "2.1.42", "2.1.110", "2.1.330"],
    `
  [/tidy]
  “Tidied by a direct call of the skill.”
`,
  ],
);
const cost = (sum: string) => `
  [/cost]
  [Output] Total cost: $${sum} Total duration (API): 0s Total durat…
`;
scenario(
  "cost-command",
  [["1.0.128", "2.0.76", "2.1.29", "2.1.110"], cost("0.0000")],
  [["2.0.42", "2.0.50", "2.1.42"], cost("0.0004")],
  [
    ["2.1.330"],
    `
  [/usage]
  [Output] Estimated cost: $0.0000 Total duration (API): 0s Total d…
`,
  ],
);
