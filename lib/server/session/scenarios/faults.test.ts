import { ALL, scenario, upTo } from "@/lib/testing/recordings";

// Up to 2.1.110 a retried error leaves no line in print mode; 2.1.330 writes one for each retry.
const retried = (answer: string, ...retries: string[]) => `
  turn 1: Please do it.${retries.map((retry) => `\n    [warning: API error, ${retry}`).join("")}
    “${answer}”
`;
scenario(
  "api-429",
  [upTo("2.1.110"), retried("After one rate limit error.")],
  [
    ["2.1.330"],
    retried(
      "After one rate limit error.",
      "retry 1 of 10] 429 This request would exceed your account's rate limit.…",
    ),
  ],
);
scenario(
  "api-500",
  [upTo("2.1.110"), retried("After two internal errors.")],
  [
    ["2.1.330"],
    retried(
      "After two internal errors.",
      "retry 1 of 10] 500 Internal server error",
      "retry 2 of 10] 500 Internal server error",
    ),
  ],
);
scenario(
  "api-529",
  [upTo("2.1.110"), retried("After two overloads.")],
  [
    ["2.1.330"],
    retried("After two overloads.", "retry 1 of 10] 529 Overloaded", "retry 2 of 10] 529 Overloaded"),
  ],
);
scenario(
  "api-reset",
  [upTo("2.1.110"), retried("After a reset connection.")],
  [["2.1.330"], retried("After a reset connection.", "retry 1 of 10] Connection dropped (ECONNRESET)")],
);

const failed = (error: string, before = "") => `
  turn 1: Please do it.${before}
    [error: API error] ${error}
`;
scenario(
  "api-400",
  [upTo("2.1.110"), failed('API Error: 400 {"type":"error","error":{"type":"invalid_…')],
  [["2.1.330"], failed("API Error: 400 messages.1.content.0: invalid request (mo…")],
);
scenario(
  "api-401",
  [upTo("2.1.110"), failed("Invalid API key · Fix external API key")],
  [
    ["2.1.330"],
    failed(
      "Invalid API key · Fix external API key",
      `
    [warning: API error, retry 1 of 1] 401 invalid x-api-key`,
    ),
  ],
);
scenario(
  "api-prompt-too-long",
  [upTo("2.1.110"), failed("Prompt is too long")],
  [["2.1.330"], failed("Prompt is too long · the request is ~215000 tokens (limi…")],
);
scenario(
  "api-529-always",
  [upTo("2.1.110"), failed('API Error: 529 {"type":"error","error":{"type":"overload…')],
  [
    ["2.1.330"],
    failed(
      "API Error: 529 Overloaded. This is a server-side issue,…",
      `
    [warning: API error, retry 1 of 2] 529 Overloaded
    [warning: API error, retry 2 of 2] 529 Overloaded`,
    ),
  ],
);

// 2.1.330 retries as a stream until the recording was stopped; older ones retry without streaming.
scenario(
  "stream-cut",
  [
    upTo("2.1.110"),
    `
  turn 1: Please do it.
    “This stream is cut after its first block.”
    Bash echo never → never
    “Recovered.”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
${[1, 2, 3, 4, 5, 6, 7].map((n) => `    [warning: API error, retry ${n} of 10] Connection dropped (ECONNRESET)`).join("\n")}
`,
  ],
);

// 2.1.29 and 2.1.42 leave the first attempt in the log, under another message id. It is one answer.
// 2.0.42 ended before it wrote a message.
scenario(
  "stream-error",
  [
    ["1.0.128", "2.0.50", "2.0.76"],
    `
  turn 1: Please do it.
    “This stream errors after its first block.”
`,
  ],
  [["2.0.42"], "not a conversation"],
  [
    ["2.1.29", "2.1.42"],
    `
  turn 1: Please do it.
    [warning: Cut off, and said again below] This stream errors after its first block.
    “This stream errors after its first block.”
    “never”
`,
  ],
  [
    ["2.1.110"],
    `
  turn 1: Please do it.
    “This stream errors after its first block.”
    [error: API error] API Error: {"type":"error","error":{"type":"overloaded_e…
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    “This stream errors after its first block.”
    “Recovered.”
`,
  ],
);

// Up to 2.1.42 a file without a message is left, which is no conversation.
scenario("empty", [upTo("2.1.42"), "not a conversation"], [["2.1.110", "2.1.330"], "turn 1: Please do it."]);

// 2.0.42 writes an answer at its end, behind the error; 2.1.110 on says nothing of the limit.
const limit = "[error: API error] API Error: Claude's response exceeded the 32000 output t…";
scenario(
  "max-tokens",
  [
    ["1.0.128", "2.0.50", "2.0.76"],
    `
  turn 1: Please do it.
    “This answer is cut off because the limit”
    ${limit}
`,
  ],
  [
    ["2.0.42"],
    `
  turn 1: Please do it.
    ${limit}
    “This answer is cut off because the limit”
`,
  ],
  [
    ["2.1.29", "2.1.42"],
    `
  turn 1: Please do it.
    “This answer is cut off because the limit”
    ${limit}
    “and it goes on.”
`,
  ],
  [
    ["2.1.110", "2.1.330"],
    `
  turn 1: Please do it.
    “This answer is cut off because the limit”
    “and it goes on.”
`,
  ],
);

const refused = "[error: API error] API Error: Claude Code is unable to respond to this requ…";
scenario(
  "refusal",
  [
    ["1.0.128", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110"],
    `
  turn 1: Please do it.
    “I can”
    ${refused}
`,
  ],
  [
    ["2.0.42"],
    `
  turn 1: Please do it.
    ${refused}
    “I can”
`,
  ],
  [
    ["2.1.330"],
    `
  turn 1: Please do it.
    “I can”
    [informational] Opus 5.5's safeguards stopped the response above · conti…
    “Done.”
`,
  ],
);

scenario("stop-sequence", [
  ALL,
  `
  turn 1: Please do it.
    “Stopped on a sequence.”
`,
]);
scenario("pause-turn", [
  ALL,
  `
  turn 1: Please do it.
    “A paused turn.”
`,
]);

// What hooks say is context for the model: user lines in 1.0.128, attachments from 2.1.110, nothing between.
const hooked = (told = "", after = "") => `
  turn 1: Please do it.
    Bash echo hooked → hooked${told}
    Bash echo forbidden-word → denied
    “The hooks ran.”${after}
`;
scenario(
  "hooked",
  [["1.0.128", "2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42"], hooked()],
  [
    ["2.1.110", "2.1.330"],
    hooked(
      "\n    [Hook PostToolUse:Bash] a system message from PostToolUse",
      "\n    [warning: Hook Stop] Failed with non-blocking status code: stop hook failed",
    ),
  ],
);

// The terminal writes retries up to 2.1.42: the last ones of a run that it shows.
const errors = (retries: number, bad: string) => `
  turn 1: Overload.${["1", "2"]
    .slice(0, retries)
    .map((n) => `\n    [warning: API error, retry ${n} of 3] 529 Overloaded`)
    .join("")}
    “After two overloads.”
  turn 2: Bad.
    [error: API error] API Error: 400 ${bad}
  turn 3: Hello.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`;
scenario(
  "tui-error",
  [upTo("2.0.76"), errors(1, '{"type":"error","error":{"type":"invalid_…')],
  [["2.1.29", "2.1.42"], errors(2, '{"type":"error","error":{"type":"invalid_…')],
  [["2.1.110"], errors(0, '{"type":"error","error":{"type":"invalid_…')],
  [["2.1.330"], errors(0, "messages.1.content.0: invalid request (mo…")],
);

// Up to 2.1.42 the words of an interrupted answer are lost. 2.1.330 words the result of a
// stopped command as a person's refusal; the interruption names its message.
const interrupted = (words: string, command: string) => `
  turn 1: Stream long.${words}
    [warning: Interrupted]
  turn 2: Run slow.
    “Starting something slow, so that you can queue messages…”
    Bash sleep 4; echo done → ${command}
    [warning: Interrupted during a tool call]
  turn 3: Carry on.
    “Hello! This is **shop**, a small Python project. - \`hell…”
`;
const kept = "\n    “This is a long answer that streams slowly. This is a lon…”";
scenario(
  "tui-interrupt",
  [upTo("2.1.42"), interrupted("", "stopped")],
  [["2.1.110"], interrupted(kept, "stopped")],
  [["2.1.330"], interrupted(kept, "stopped")],
);

// 1.0.128 logs nothing of what is typed while a tool runs. 2.0.42 to 2.1.42 log it in the queue alone;
// 2.1.29 has the last answers in a suggestion agent's file, and was resumed behind one of them.
const busy = (queued: string, answers: string[], turn: number) => `
  turn 1: Be busy.
    “Starting something slow, so that you can queue messages…”
    Bash sleep 4; echo done → done${queued}
${answers.map((answer) => `    “${answer}”`).join("\n")}
  turn ${turn}: And then.
    “Hello! This is **shop**, a small Python project. - \`hell…”`;
const back = (turn: number) => `
  turn ${turn}: Back again.
    “And a second answer in the same session.”
`;
const queued = `
  turn 2 (queued): A queued message.
  turn 3 (queued): Another queued one.`;
const slow = "The slow command is done.";
const third = "A third answer, after a fork or a resume.";
scenario(
  "tui-queue",
  [["1.0.128"], busy("", [slow, third], 2) + back(3)],
  [["2.0.42", "2.0.50", "2.0.76"], busy(queued, [slow, third], 4) + back(5)],
  [["2.1.29"], `${busy(queued, [slow], 4)}\n    [Said by the client] No response requested.${back(5)}`],
  [["2.1.42", "2.1.110"], busy(queued, [slow], 4) + back(5)],
  [["2.1.330"], busy(queued, [third], 4) + back(5)],
);

// Going on in the terminal appends to the session of tui-queue; a file of snapshots alone is left beside it.
scenario(
  "tui-resume",
  [["1.0.128", "2.1.110", "2.1.330"], ""],
  [["2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42"], "not a conversation"],
);

// 2.1.42 clears images that it takes for old.
scenario(
  "stream-json",
  [
    ["1.0.128", "2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.110", "2.1.330"],
    `
  turn 1: What is this? [image]
    “Hello! This is **shop**, a small Python project. - \`hell…”
  turn 2: A plain second message.
    “And a second answer in the same session.”
  turn 3: first block of two second block
    “A third answer, after a fork or a resume.”
`,
  ],
  [
    ["2.1.42"],
    `
  turn 1: What is this? [image]
    “Hello! This is **shop**, a small Python project. - \`hell…”
  turn 2: A plain second message.
    “And a second answer in the same session.”
    [Old tool results cleared from the context] Context microcompacted
  turn 3: first block of two second block
    “A third answer, after a fork or a resume.”
`,
  ],
);
