import { expect, test } from "vitest";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { ALL, from, openRecording, plain, sessionsOf } from "@/lib/testing/recordings";
import { idOf, type OpenFolder, settled } from "@/lib/testing/transcript";
import type { CompareResponse, PartFigures, RowPair } from "@/lib/wire/compare";
import type { SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** Compares the first session of a scenario with its second, or, where there is one, its own branches. */
async function compareScenario(version: RecordedVersion, name: string): Promise<string> {
  const { folder, scenarios } = await openRecording(version);
  const told = scenarios[name];
  const [left, right] = told ? sessionsOf(folder, told) : [];
  if (!left) return "not recorded";
  const sides = right ? { right: idOf(folder, right) } : {};
  return (await comparisonOf(folder, idOf(folder, left), sides)).join("\n");
}

/** One test for each version of a scenario: what its comparison says. All versions but 1.0.60 must be told, and that may be. */
function comparisons(name: string, ...tellings: [versions: readonly RecordedVersion[], telling: string][]) {
  const told = tellings.flatMap(([versions, telling]) =>
    versions.map((version) => [version, telling] as const),
  );
  test.each(told)(`${name} of %s`, async (version, telling) => {
    expect(await compareScenario(version, name)).toBe(plain(telling));
  });
  test(`${name} has a result for every version`, () => {
    expect(ALL.filter((version) => !told.some(([one]) => one === version))).toEqual([]);
  });
}

// Up to 1.0.128 the rewind's prompt was sent again first.
comparisons(
  "tui-rewind",
  [
    ["1.0.60", "1.0.128"],
    `
    stem: 1 turns, the last “First prompt.”
    left: “Second prompt.”, left, 1 turns tokens +0 −0
    right: “Second prompt.”, active, 3 turns tokens +0 −0
    turn 2 Second prompt. | 2 Second prompt.
      = “And a second answer in the same session.”
    turn – | 3 A branched prompt.
      – | “A third answer, after a fork or a resume.”
    turn – | 4 Going on in the branch.
      – | “Hello! This is **shop**, a small Python proj…”
    `,
  ],
  [
    from("2.0.42"),
    `
    stem: 1 turns, the last “First prompt.”
    left: “Second prompt.”, left, 1 turns tokens +0 −0
    right: “A branched prompt.”, active, 2 turns tokens +0 −0
    turn 2 Second prompt. | 2 A branched prompt.
      ≠ “And a second answer in the same session.” | “A third answer, after a fork or a resume.”
    turn – | 3 Going on in the branch.
      – | “Hello! This is **shop**, a small Python proj…”
    `,
  ],
);

// Up to 1.0.128 the code stayed as it was, and the same prompt ran over it once more.
const again = (error: string) => `
    stem: 1 turns, the last “Zeroth prompt.”
    left: “First prompt.”, left, 2 turns 6 calls tokens +14 −4
    right: “First prompt.”, active, 2 turns 8 calls 2 errors tokens +2 −2
    tool MultiEdit: 0 | 1
    tool Read: 2 | 3
    tool Edit: 2 | 2
    tool Write: 2 | 2
    turn 2 First prompt. | 2 First prompt.
      = “The user wants the greeting fixed. I should…”
      = “I'll read the file first.”
      = Read hello.py → 7 lines
      = “The greeting is misspelled. Fixing it.”
      ≠ Edit hello.py → ok | Edit hello.py → ${error}: print("Helo, " + name)
      ≠ Edit hello.py → all | Edit hello.py → ${error}: name
      ≠ Write greet_test.py → created | Write greet_test.py → ok
      ≠ Read README.md → 4 lines | Read README.md → 8 lines
      ≠ Write README.md → ok | Write README.md → ok
      = “The greeting is fixed, a test is added, and…”
    turn 3 Second prompt. | 3 A different first prompt.
      – | Read prices.json → 5 lines
      – | MultiEdit prices.json → 2 edits
      ≠ “And a second answer in the same session.” | “Both prices were raised.”
    file prices.json: +0 −0 | +2 −2, unknown
    file README.md: +4 −0 | +0 −0, same
    file greet_test.py: +6 −0 | +0 −0, same
    file hello.py: +4 −4 | +0 −0, same
    `;

// `outside`: 2.1.110 tells the model what the rewind changed. `readme`: in 2.0.76 it was not put back.
const putBack = (outside: boolean, readme: "differs" | "same") => `
    stem: 1 turns, the last “Zeroth prompt.”
    left: “First prompt.”, left, 2 turns 6 calls tokens +14 −4
    right: “A different first prompt.”, active, 1 turns 3 calls tokens +2 −2
    tool Write: 2 | 0
    tool Read: 2 | 1
    tool Edit: 2 | 2
    turn 2 First prompt. | 2 A different first prompt.
      “The user wants the greeting fixed. I should…” | –
      “I'll read the file first.” | –${
        outside
          ? `
      – | [Changed outside: /home/dev/tui-rewind-code/R…]
      – | [Changed outside: /home/dev/tui-rewind-code/h…]`
          : ""
      }
      ≠ Read hello.py → 7 lines | Read prices.json → 5 lines
      “The greeting is misspelled. Fixing it.” | –
      ≠ Edit hello.py → ok | Edit prices.json → ok
      ≠ Edit hello.py → all | Edit prices.json → ok
      Write greet_test.py → created | –
      Read README.md → 4 lines | –
      Write README.md → ok | –
      ≠ “The greeting is fixed, a test is added, and…” | “Both prices were raised.”
    turn 3 Second prompt. | –
      “And a second answer in the same session.” | –${
        readme === "differs"
          ? `
    file README.md: +4 −0 | +0 −0, differs`
          : ""
      }
    file greet_test.py: +6 −0 | gone +0 −0, differs
    file hello.py: +4 −4 | +0 −0, differs
    file prices.json: +0 −0 | +2 −2, unknown${
      readme === "same"
        ? `
    file README.md: +4 −0 | +0 −0, same`
        : ""
    }
    `;
const MISSING = "String to replace not found in file. String";
comparisons(
  "tui-rewind-code",
  [["1.0.60", "1.0.128"], again(MISSING)],
  [["2.0.42", "2.0.50", "2.1.29", "2.1.42", "2.1.330"], putBack(false, "differs")],
  [["2.0.76"], putBack(false, "same")],
  [["2.1.110"], putBack(true, "differs")],
);

// 1.0.60 resumes in a file of its own, under new uuids; from 1.0.128 on the second session is a fork.
const forked = (stem: number, last: string, spacer: boolean) => `
    stem: ${stem} turns, the last “${last}”
    left: “After the compaction.”, active, 1 turns tokens +0 −0
    right: “A forked question.”, active, 2 turns tokens +0 −0
    begun turn ${stem} ${last} | ${stem} ${last}
      = “A third answer, after a fork or a resume.”
      compaction | –
      [/compact] | –
      [Output] | –${spacer ? "\n      [Said by the client] | –" : ""}
    turn ${stem + 1} After the compaction. | ${stem + 1} A forked question.
      ≠ “And a second answer in the same session.” | “A third answer, after a fork or a resume.”
    turn – | ${stem + 2} A question in the fork.
      – | “And a second answer in the same session.”
    `;
comparisons(
  "resume",
  [
    ["1.0.60"],
    `
    stem: 1 turns, the last “Please do it.”
    left: nothing of its own, active, no tokens +0 −0
    right: “Second question.”, active, 1 turns tokens +0 −0
    turn – | 2 Second question.
      – | “And a second answer in the same session.”
    `,
  ],
  [["1.0.128", "2.0.42"], forked(3, "Third question.", true)],
  [["2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110"], forked(2, "A branch from the first answer.", true)],
  [["2.1.330"], forked(2, "A branch from the first answer.", false)],
);

test("abandoned attempts of a side are counted separately (2.1.110)", async () => {
  const { folder } = await openRecording("2.1.110");
  const session = folder.catalog.summaries().find(({ title }) => title.startsWith("my-branch"));
  const [origin] = session ? folder.catalog.related(session.id) : [];
  const { left, stem } = await settled(() =>
    folder.sessions.compare(origin?.id ?? ("" as never), { left: null, right: session?.id ?? null }),
  );
  expect(stem.turns).toBe(1);
  expect(left.abandoned).toMatchObject({ branches: 1, turns: 2, toolCalls: 6, added: 14, removed: 4 });
  expect(left.abandoned?.cost).toEqual(expect.objectContaining({ unpricedTokens: expect.any(Number) }));
  expect(left.own).toMatchObject({ turns: 2, toolCalls: 6, toolErrors: 2, toolsDenied: 0 });
});

test("refused calls of a side are counted by themselves, as those of its session (2.1.330)", async () => {
  const { folder } = await openRecording("2.1.330");
  const ids = folder.catalog.summaries().map(({ id }) => id);
  const details = await Promise.all(ids.map((id) => settled(() => folder.sessions.detail(id))));
  const refused = details.find(({ counts }) => counts.toolsDenied > 0 && counts.branches === 1);
  const right = ids.find((id) => id !== refused?.id) ?? null;
  const { left } = await settled(() =>
    folder.sessions.compare(refused?.id ?? ("" as never), { left: null, right }),
  );
  expect(left.own.toolsDenied).toBe(refused?.counts.toolsDenied);
});

test("two copies of a branch with the same uuids have one stem (2.1.330)", async () => {
  const { folder } = await openRecording("2.1.330");
  const session = folder.catalog.summaries().find(({ title }) => title === "my-branch");
  const origin =
    session && folder.catalog.related(session.id).find(({ relation }) => relation === "forked-from");
  const { left, right, stem } = await settled(() =>
    folder.sessions.compare(origin?.id ?? ("" as never), { left: null, right: session?.id ?? null }),
  );
  expect([stem.turns, left.own.turns, right.own.turns]).toEqual([3, 0, 1]);
});

test("missing sides, and turns without a counterpart, are reported", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const compare = (name: string, left: string | null, right: string | null) => {
    const [uuid = ""] = scenarios[name] ? sessionsOf(folder, scenarios[name]) : [];
    return settled(() => folder.sessions.compare(idOf(folder, uuid), { left, right }));
  };
  await expect(compare("tui-rewind", null, "nobody")).rejects.toMatchObject({ code: "session-not-found" });
  await expect(compare("tui-rewind", "m~zzzz", null)).rejects.toMatchObject({ code: "record-not-found" });
  await expect(compare("edit-file", null, null)).rejects.toMatchObject({ code: "one-branch" });
  const { left, right } = await compare("tui-rewind", null, null);
  const swapped = await compare("tui-rewind", right.branch, left.branch);
  expect([swapped.left.prompt, swapped.right.prompt]).toEqual([right.prompt, left.prompt]);
  expect(swapped.right.own).toEqual(left.own);
});

type Sides = { left?: string | null; right?: string | null };

/**
 * A comparison as a person would tell it: what is shared, what each did on its own, the turns beside each other with
 * their rows, and the files as they ended. Times and costs are left out: they differ from recording to recording.
 */
async function comparisonOf({ sessions }: OpenFolder, id: SessionId, sides: Sides = {}): Promise<string[]> {
  const query = { left: sides.left ?? null, right: sides.right ?? null };
  const compared = await settled(() => sessions.compare(id, query));
  const lines = [
    `stem: ${compared.stem.turns} turns${compared.stem.prompt === null ? "" : `, the last “${words(compared.stem.prompt)}”`}`,
    `left: ${sideLine(compared.left)}`,
    `right: ${sideLine(compared.right)}`,
    ...compared.tools.map(({ name, left, right }) => `tool ${name}: ${left} | ${right}`),
  ];
  for (const { pair, left, right, begun } of compared.turns) {
    const prompt = (turn: typeof left) => (turn ? `${turn.turn} ${words(turn.prompt)}` : "–");
    lines.push(`${begun ? "begun " : ""}turn ${prompt(left)} | ${prompt(right)}`);
    const { rows } = await settled(() => sessions.comparedPair(id, query, pair));
    for (const row of rows) lines.push(`  ${rowLine(row)}`);
  }
  for (const { name, left, right, verdict } of compared.files) {
    const side = (one: typeof left) =>
      one ? `${one.exists === false ? "gone " : ""}+${one.added} −${one.removed}` : "–";
    lines.push(`file ${name}: ${side(left)} | ${side(right)}, ${verdict}`);
  }
  return lines;
}

function sideLine({ prompt, active, own, abandoned }: CompareResponse["left"]): string {
  return [
    prompt === null ? "nothing of its own" : `“${words(prompt)}”`,
    active ? "active" : "left",
    partLine(own),
    ...(abandoned ? [`${abandoned.branches} abandoned with ${partLine(abandoned)}`] : []),
  ].join(", ");
}

function partLine({ turns, toolCalls, toolErrors, agents, tokens, added, removed }: PartFigures): string {
  const figures = { turns, calls: toolCalls, errors: toolErrors, agents };
  const counted = Object.entries(figures).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return [...counted, tokens > 0 ? "tokens" : "no tokens", `+${added} −${removed}`].join(" ");
}

function rowLine({ left, right, same }: RowPair): string {
  if (same && left) return `= ${rowWords(left)}`;
  return `${left && right ? "≠ " : ""}${left ? rowWords(left) : "–"} | ${right ? rowWords(right) : "–"}`;
}

function rowWords(row: Row): string {
  if (row.kind === "tool") return `${row.name} ${words(row.subject)} → ${row.result ?? row.state}`;
  if (row.kind === "event") return `[${words(row.label)}]`;
  return "text" in row && typeof row.text === "object" ? `“${words(row.text.text)}”` : row.kind;
}

function words(text: string): string {
  const line = text
    .replace(/ ?SCENARIO:[a-z0-9-]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > 44 ? `${line.slice(0, 44).trimEnd()}…` : line;
}
