import { plainView } from "@/lib/redact/plain-view";
import type { SessionId } from "@/lib/wire/ids";
import { plantSecrets } from "./secrets";

/** A UUID that ends in `n`. Not that of log-tree: browser tests know nothing of what it needs. */
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** The session that holds them. */
export const SECRET_SESSION = uuid(1) as SessionId;

const ID = SECRET_SESSION;
const PLANTED = plantSecrets(23, 4);
/** Every secret has a place of its own, so that none is known from another one. */
const [IN_PROMPTS, IN_ANSWERS, IN_INPUTS, IN_OUTPUTS] = [0, 1, 2, 3].map((nth) =>
  PLANTED.filter((_, index) => index % 4 === nth),
) as [typeof PLANTED, typeof PLANTED, typeof PLANTED, typeof PLANTED];

let clock = Date.parse("2026-03-04T05:06:07Z");
let last: string | null = null;
let count = 0;

function line(type: "user" | "assistant", content: unknown, more: object = {}): Record<string, unknown> {
  const id = uuid(1000 + count++);
  const made = {
    ...{ type, uuid: id, parentUuid: last, sessionId: ID, version: "2.1.330", cwd: "/home/marlowe/shop" },
    timestamp: new Date((clock += 1000)).toISOString(),
    message: { id: `msg_${id}`, role: type, model: "claude-x", content },
    ...more,
  };
  last = id;
  return made;
}

const call = (id: string, name: string, input: object) =>
  line("assistant", [{ type: "tool_use", id, name, input }]);
const result = (id: string, content: unknown, more: object = {}) =>
  line("user", [{ type: "tool_result", tool_use_id: id, content }], more);

/** Of the outputs that begin with a filler, every so many have a long one: all others are read as all long texts are. */
const LONG_EVERY = 4;

/** Each secret in several shapes; some are far behind where rows are cut. */
function conversation(): Record<string, unknown>[] {
  const filler = "Nothing to see in this line of the report.\n".repeat(900);
  return [
    { type: "summary", summary: `Rotate ${IN_PROMPTS[0]?.text}`, leafUuid: uuid(1) },
    line("user", `Rotate ${IN_PROMPTS[0]?.text}, please`),
    ...IN_PROMPTS.flatMap(({ text }) => [
      line("user", `Take ${text} then`),
      line("assistant", [{ type: "text", text: "Done." }]),
    ]),
    ...IN_ANSWERS.map(({ text }, index) =>
      line("assistant", [
        index % 2
          ? { type: "text", text: `It is ${text} now` }
          : { type: "thinking", thinking: `So ${text} it is`, signature: "c2ln" },
      ]),
    ),
    ...IN_INPUTS.flatMap(({ text, secret }, index) => {
      const id = `toolu_in${index}`;
      const input = [
        { command: `curl -s '${text}' | jq` },
        { file_path: `/srv/${text === secret ? secret : "a"}.txt`, content: `x\n${text}\n` },
        { file_path: "/srv/b.txt", old_string: "x", new_string: text },
      ][index % 3] as object;
      return [call(id, ["Bash", "Write", "Edit"][index % 3] as string, input), result(id, "ok")];
    }),
    ...IN_OUTPUTS.flatMap(({ text, secret }, index) => {
      const id = `toolu_out${index}`;
      const output = [
        `${index % (4 * LONG_EVERY) ? "Nothing to see in this line.\n" : filler}${text}\n`,
        `\x1b[32m${text.replace(secret, () => `${secret.slice(0, 9)}\x1b[0m${secret.slice(9)}`)}`,
        JSON.stringify({ a: JSON.stringify({ b: text }) }),
        `first\n${text}\nlast`,
      ][index % 4] as string;
      return [
        call(id, "Bash", { command: "run" }),
        result(id, index % 2 ? output : [{ type: "text", text: output }], {
          toolUseResult: { stdout: output, stderr: "" },
        }),
      ];
    }),
    call("toolu_big", "Bash", { command: "run all" }),
    result(
      "toolu_big",
      "Output too large. Full output saved to: /home/marlowe/.claude/tool-results/toolu_big.txt\n",
    ),
    call("toolu_env", "Read", { file_path: "/home/marlowe/shop/.env" }),
    result("toolu_env", "     1→SHOP=Blue Heron\n     2→PIN='zebra-42-lamp'\n"),
    line("assistant", [{ type: "text", text: "Anyone may know this sentence." }]),
  ];
}

function agent(): Record<string, unknown>[] {
  last = null;
  return PLANTED.map(({ text }) => ({
    ...line("assistant", [{ type: "text", text: `Agent has ${text} too` }]),
    isSidechain: true,
    agentId: "a1",
  }));
}

const LINES = conversation();
const AGENT_LINES = [
  line("user", "Look around", { isSidechain: true, agentId: "a1", parentUuid: null }),
  ...agent(),
];

/** A configuration folder with four secrets of every kind in a session, its agent and an output kept beside it: lines by path. */
export function secretTree(): Record<string, (Record<string, unknown> | string)[]> {
  const folder = `projects/-home-marlowe-shop/${ID}`;
  return {
    [`${folder}.jsonl`]: LINES,
    [`${folder}/subagents/agent-a1.jsonl`]: AGENT_LINES,
    [`${folder}/tool-results/toolu_big.txt`]: [
      "Anyone may know this line.",
      ...IN_OUTPUTS.map(({ text }) => text),
    ],
  };
}

/** What a reader of the file can read: escapes of JSON and of HTML resolved, as often as it takes. */
export function readable(text: string): string {
  const resolved = text
    .replace(/&#(\d+);|&(amp|lt|gt|quot);/g, (entity, code: string | undefined, name: string | undefined) =>
      code
        ? String.fromCharCode(Number(code))
        : ({ amp: "&", lt: "<", gt: ">", quot: '"' }[name ?? ""] ?? entity),
    )
    .replace(/<\/?(?:span|code|mark)\b[^>]*>/g, "");
  const view = plainView(resolved)?.text;
  return view === undefined ? resolved : `${resolved}\n${readable(view)}`;
}

const PIECE = 12;

/** Which of the planted secrets hold these twelve characters in a row; runs that are mostly blank tell nothing. */
const SECRETS_BY_PIECE = new Map<string, number[]>();
/** By a hash of four of a piece's characters: what nearly all of a text is told apart by, without a string. */
const IS_LIKE_PIECE = new Uint8Array(1 << 20);
const hashOfPiece = (text: string, at: number) => {
  const first = Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 4);
  const second = Math.imul(text.charCodeAt(at + 8), 31) + text.charCodeAt(at + 11);
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) >>> 12;
};
for (const [index, { secret }] of PLANTED.entries()) {
  for (let at = 0; secret.length > PIECE && at + PIECE <= secret.length; at++) {
    const piece = secret.slice(at, at + PIECE);
    if (!/\S{9}/.test(piece)) continue;
    IS_LIKE_PIECE[hashOfPiece(piece, 0)] = 1;
    SECRETS_BY_PIECE.set(piece, [...(SECRETS_BY_PIECE.get(piece) ?? []), index]);
  }
}

/** The planted secrets of which twelve characters in a row can be read in a text. */
export function leaked(text: string): string[] {
  const found = new Set<number>();
  for (let at = 0; at + PIECE <= text.length; at++) {
    if (IS_LIKE_PIECE[hashOfPiece(text, at)] === 0) continue;
    for (const index of SECRETS_BY_PIECE.get(text.slice(at, at + PIECE)) ?? []) found.add(index);
  }
  return PLANTED.filter(
    ({ secret }, index) => found.has(index) || (secret.length <= PIECE && text.includes(secret)),
  ).map(({ kind, secret }) => `${kind}: ${secret}`);
}
