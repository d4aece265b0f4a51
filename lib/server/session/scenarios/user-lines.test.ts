import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, rowsOf, transcriptOf } from "@/lib/testing/transcript";

const REMINDER = `<system-reminder>\nbe brief ${"x".repeat(2_000)}\n</system-reminder>`;
const OPENED = "<ide_opened_file>The user opened the file /a.ts in the IDE.</ide_opened_file>";

const blocks = (...texts: string[]) => ({
  message: { role: "user", content: texts.map((text) => ({ type: "text", text })) },
});

/** Every text that a user line can be, each on a line of its own. */
const LINES = [
  prompt("Fix it"),
  prompt("opened", blocks(OPENED, "Explain this file")),
  prompt("selected", blocks("<ide_selection>let a = 1</ide_selection>", "And this")),
  prompt("reminded", blocks(`${REMINDER}\nNow the tests`)),
  prompt(`${REMINDER}\n\nand the docs`),
  prompt("<ide_diagnostics>1 error</ide_diagnostics>"),
  prompt("<new-diagnostics>none</new-diagnostics>"),
  prompt(REMINDER),
  prompt("<user-memory-input>use tabs</user-memory-input>"),
  prompt("<bash-input>ls</bash-input>"),
  prompt("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"),
  prompt("<command-message>review</command-message>\n<command-name>/review</command-name>"),
  prompt("<local-command-caveat>Caveat: …</local-command-caveat>"),
  prompt("<local-command-stdout>done</local-command-stdout>"),
  prompt("<local-command-stderr>failed</local-command-stderr>"),
  prompt("<user-prompt-submit-hook>remember</user-prompt-submit-hook>"),
  prompt("Stop hook feedback:\n- run the tests"),
  prompt("<task-notification><task-id>b1</task-id><summary>It ended</summary></task-notification>"),
  prompt("<teammate-message from='a'>hello</teammate-message>"),
  prompt("<agent-message>found</agent-message>"),
  prompt("<cross-session-message>moved</cross-session-message>"),
  prompt("<tool_use_error>No such tool</tool_use_error>"),
  prompt("[Request interrupted by user]"),
  prompt("This session is being continued from a previous conversation that ran out of context."),
  prompt("<div>Why does this not centre?</div>"),
  answer("done"),
];

const chained = LINES.map((line, at) => ({
  ...line,
  uuid: `line-${at}`,
  parentUuid: at === 0 ? null : `line-${at - 1}`,
}));

test("every text of a user line is shown as what it is, and only a person's are turns", async () => {
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: chained }));
  const told = await transcriptOf(folder, uuid(1), "everything");
  expect(told.map((line) => line.trim())).toEqual([
    "turn 1: Fix it",
    "turn 2: Explain this file",
    "(Open in the editor)",
    "turn 3: And this",
    "(Selected in the editor)",
    "turn 4: Now the tests",
    "(Reminder)",
    "turn 5: and the docs",
    "(Reminder)",
    "(Diagnostics of the editor)",
    "(Diagnostics of the editor)",
    "(Reminder)",
    "[# use tabs]",
    "[! ls]",
    "[Output] a",
    "[/review]",
    "(Note on what follows)",
    "[Output] done",
    "[Output] failed",
    "(Said by a hook)",
    "(Said by a hook)",
    "[It ended]",
    "[Notification] hello",
    "[Notification] found",
    "[Notification] moved",
    "(Error of a tool)",
    "[warning: Interrupted]",
    "(Summary)",
    "turn 6: <div>Why does this not centre?</div>",
    "“done”",
  ]);
});

test("what was put around a prompt has its text and a key of its own", async () => {
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: chained.slice(0, 2) }));
  const [session] = folder.catalog.summaries();
  if (!session) throw new Error("The session is not listed");
  const { rows } = await rowsOf(folder, session.id, "everything");
  expect(rows.slice(1)).toMatchObject([
    { kind: "turn", prompt: { text: "Explain this file" } },
    { kind: "context", label: "Open in the editor", text: { text: OPENED } },
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});
