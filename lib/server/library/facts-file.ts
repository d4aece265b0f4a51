import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { Health } from "@/lib/wire/health";
import type { KnownFacts } from "./facts-cache";
import type { LogFacts } from "./log-facts";

const NAME = "facts.json";
/** Raise it with every change of `LogFacts` or of how they are read. */
const VERSION = 3;

type Facts = [path: string, known: KnownFacts][];
type Warning = Health["warnings"][number];

/**
 * What the last run knew of the ends of logs, so that a start need not read them; empty where there is nothing of
 * use. A file that is not what was written is set aside, which the warning tells. Never throws.
 */
export async function readFacts(dataDir: string | null): Promise<{ facts: Facts; warning: Warning | null }> {
  const nothing = { facts: [], warning: null };
  if (dataDir === null) return nothing;
  const path = join(dataDir, NAME);
  try {
    const text = await readFile(path, "utf8");
    return { facts: parseFacts(text), warning: null };
  } catch (error) {
    if (faultCode(error) === "ENOENT") return nothing;
    await setAside(path);
    return { facts: [], warning: damagedWarning(path) };
  }
}

/** Keeps them for the next start. Replaced whole, so that a reader never sees half of it; a full disk keeps the old ones. */
export async function writeFacts(dataDir: string | null, facts: Facts): Promise<void> {
  if (dataDir === null) return;
  const path = join(dataDir, NAME);
  try {
    const body = JSON.stringify(facts);
    const head = JSON.stringify({ version: VERSION, sum: crc32(body) });
    await writeFile(`${path}.new`, `${head}\n${body}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // The index says on screen what is wrong with the folder.
  }
}

/**
 * The facts of a file: a line with version and checksum, a line with what they are of. Empty for another version's.
 * Throws where it is not what was written.
 */
function parseFacts(text: string): Facts {
  const end = text.indexOf("\n");
  const head: unknown = JSON.parse(end === -1 ? text : text.slice(0, end));
  if (!isObject(head) || !isNumber(head.version)) throw new TypeError("no version");
  if (head.version !== VERSION) return [];
  const body = text.slice(end + 1, -1);
  if (end === -1 || crc32(body) !== head.sum) throw new TypeError("a wrong checksum");
  const facts: unknown = JSON.parse(body);
  if (!isListOf(facts, isEntry)) throw new TypeError("another shape");
  return facts;
}

async function setAside(path: string): Promise<void> {
  try {
    await rm(`${path}.damaged`, { recursive: true, force: true });
    await rename(path, `${path}.damaged`);
  } catch {
    // In a folder that cannot be written it stays, and is passed over again.
  }
}

function damagedWarning(path: string): Warning {
  return {
    code: "facts-damaged",
    message: "What the last start kept of the logs' ends was damaged, so they are read again",
    hint: "Nothing is lost: it is made from the logs. The damaged file lies beside it.",
    path,
  };
}

type Check<T> = (value: unknown) => value is T;

const isString: Check<string> = (value) => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isBoolean: Check<boolean> = (value) => typeof value === "boolean";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);
const listOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    isListOf(value, check);
/** An object with exactly these fields, so that a key with a flipped byte is noticed. */
const shape =
  <T extends object>(fields: { [K in keyof T]-?: Check<T[K]> }): Check<T> =>
  (value): value is T => {
    if (!isObject(value)) return false;
    const checks = Object.entries<Check<unknown>>(fields);
    return (
      Object.keys(value).length === checks.length &&
      checks.every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))
    );
  };

function isListOf<T>(value: unknown, check: Check<T>): value is T[] {
  return Array.isArray(value) && value.every(check);
}

const isLogFacts = shape<LogFacts>({
  hasMessages: isBoolean,
  cwd: orNull(isString),
  gitBranch: orNull(isString),
  firstPrompt: orNull(isString),
  customTitle: orNull(isString),
  aiTitle: orNull(isString),
  summaries: listOf(shape({ leafUuid: orNull(isString), text: isString })),
  lastUuids: listOf(isString),
  firstUuid: orNull(isString),
  firstParentUuid: orNull(isString),
  firstMessageId: orNull(isString),
  forkedFrom: orNull(isString),
  startedAtMs: orNull(isNumber),
  lastActiveAtMs: orNull(isNumber),
  models: listOf(isString),
  slugs: listOf(isString),
  sessionIds: listOf(isString),
  warmUp: isBoolean,
  lines: orNull(isNumber),
});

const isKnownFacts = shape<KnownFacts>({
  dev: isNumber,
  ino: isNumber,
  bytes: isNumber,
  mtimeMs: isNumber,
  read: shape<KnownFacts["read"]>({
    facts: isLogFacts,
    problem: orNull(shape({ code: isString, message: isString, hint: isString })),
  }),
});

const isEntry = (value: unknown): value is Facts[number] =>
  Array.isArray(value) && value.length === 2 && isString(value[0]) && isKnownFacts(value[1]);
