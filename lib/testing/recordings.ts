import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RECORDED_VERSIONS, type RecordedVersion, sharedRecording } from "@/lib/testing/recorded";
import { type OpenFolder, openFolder, transcriptOf } from "./transcript";

/** What the manifest says of a scenario: `steps` are the sessions that later commands of it went on with. */
export type Scenario = {
  session?: string;
  sessions?: string[];
  steps?: Record<string, string>;
  must: string;
};
type Opened = { folder: OpenFolder; scenarios: Record<string, Scenario> };

const opened = new Map<RecordedVersion, Promise<Opened>>();

/** A recording opened as the server opens it, once for a test file, or for all that share their modules. */
export function openRecording(version: RecordedVersion): Promise<Opened> {
  const known = opened.get(version) ?? open(version);
  opened.set(version, known);
  return known;
}

async function open(version: RecordedVersion): Promise<Opened> {
  const recording = sharedRecording(version);
  const { scenarios } = JSON.parse(readFileSync(join(recording.dir, "manifest.json"), "utf8")) as Pick<
    Opened,
    "scenarios"
  >;
  const folder = await openFolder(recording.claudeDir);
  // Many tests hold for every session that is listed: of none they would say nothing.
  if (folder.catalog.summaries().length === 0) throw new Error(`No session of ${version} is listed`);
  return { folder, scenarios };
}

/** 1.0.60 lacks most of what the scenarios use, and is told in files of its own. */
const EARLIEST: RecordedVersion = "1.0.60";
export const ALL: RecordedVersion[] = RECORDED_VERSIONS.filter((version) => version !== EARLIEST);

/** The versions from one on, or up to one, in the order they were released, 1.0.60 left out. */
export function from(version: RecordedVersion): RecordedVersion[] {
  return ALL.slice(ALL.indexOf(version));
}
/** The same, up to this one. */
export function upTo(version: RecordedVersion): RecordedVersion[] {
  return ALL.slice(0, ALL.indexOf(version) + 1);
}

/**
 * One test for a scenario: what it did, as a person would tell it, for the versions that tell it the
 * same way. Every version from 1.0.128 on that recorded the scenario must be told. Sessions are separated by `--`.
 */
export function scenario(
  name: string,
  ...tellings: [versions: readonly RecordedVersion[], transcript: string][]
): void {
  test(name, async () => {
    const found: Record<string, string> = {};
    const told: Record<string, string> = {};
    for (const version of ALL) {
      const { folder, scenarios } = await openRecording(version);
      if (scenarios[name]) found[version] = await tell(folder, scenarios[name]);
    }
    for (const [versions, transcript] of tellings)
      for (const version of versions) told[version] = plain(transcript);
    for (const version of ALL) expect(found[version], version).toBe(told[version]);
  });
}

/** One test for each of these scenarios of 1.0.60: what it did. Names that are told alike stand together, by blanks. */
export function earliestScenarios(tellings: Record<string, string>): void {
  test.each(
    Object.entries(tellings).flatMap(([names, telling]) =>
      names.split(" ").map((name): [string, string] => [name, telling]),
    ),
  )("%s", async (name, telling) => {
    const { folder, scenarios } = await openRecording(EARLIEST);
    const told = scenarios[name];
    expect(told && (await tell(folder, told))).toBe(plain(telling));
  });
}

/** The sessions of a scenario by their main log's uuid: the first and those its steps made, or all in the order of their times. */
export function sessionsOf(folder: OpenFolder, { session, sessions, steps = {} }: Scenario): string[] {
  const named = session
    ? [session, ...Object.values(steps).filter((step) => UUID.test(step))]
    : inOrder(folder, sessions ?? []);
  return [...new Set(named)];
}

/** Tells whether a file is a session: one without a message is none. */
export function isListed({ catalog }: OpenFolder, uuid: string): boolean {
  return catalog.summaries().some(({ id }) => id.includes(uuid));
}

async function tell(folder: OpenFolder, told: Scenario): Promise<string> {
  const parts: string[] = [];
  for (const uuid of sessionsOf(folder, told)) {
    parts.push(isListed(folder, uuid) ? (await transcriptOf(folder, uuid)).join("\n") : "not a conversation");
  }
  return withoutIds(parts.join("\n--\n"));
}

const UUID = /^[0-9a-f-]{36}$/;

function inOrder({ catalog }: OpenFolder, uuids: readonly string[]): string[] {
  const summaries = catalog.summaries();
  const key = (uuid: string) => {
    const found = summaries.find(({ id }) => id.includes(uuid));
    return [found?.startedAtMs ?? 0, found?.lastActiveAtMs ?? 0] as const;
  };
  return uuids.toSorted((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]);
}

/** Names that the client made up are `ID`. */
function withoutIds(text: string): string {
  return text
    .replace(/background · \w+/g, "background")
    .replace(/^( *(?:TaskOutput|BashOutput|KillShell|TaskStop|SendMessage to)) \w+/gm, "$1 ID")
    .replace(/No task found with ID: \w+/g, "No task found with ID")
    .replace(/\.claude\/plans\/[a-z-]+(\.m?d?…|\.md|…)/g, ".claude/plans/ID")
    .replace(/<pasted_content id="\w+">/g, "<pasted_content>");
}

/** A transcript as written in a test, without the test's own indentation. */
export function plain(transcript: string): string {
  const lines = transcript.replace(/^\n|\n *$/g, "").split("\n");
  const margin = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  return lines.map((line) => line.slice(margin)).join("\n");
}
