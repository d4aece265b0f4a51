import { expect, it } from "vitest";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { openRecording, type Scenario } from "@/lib/testing/recordings";
import type { SessionId } from "@/lib/wire/ids";
import { fileEvents, touchedFiles } from "./file-events";
import type { Seen } from "./file-text";
import type { FileEvent, FileTimeline, TimelineVersion } from "./file-timeline";
import { timelineOf } from "./session-files";

/*
 * What we say that a file was after each change of every recording, beside what the logs show of it next: what a later
 * change began with, a read of the whole, a backup. `checked`: how many changes there is something later to compare
 * with. `apart`: where the two differ. `outside`: where a file was later not what the steps before had left, since
 * something wrote it that is not in that log; each with its cause.
 */

type Told = { changes: number; checked: number; apart: string[]; outside: string[] };

const CHANGES: readonly string[] = ["Edit", "MultiEdit", "Write"];

async function tell(version: RecordedVersion): Promise<Told> {
  const { folder, scenarios } = await openRecording(version);
  const told: Told = { changes: 0, checked: 0, apart: [], outside: [] };
  for (const { id } of folder.catalog.summaries()) {
    const session = await folder.sessions.latest(id);
    for (const path of (await touchedFiles(session)).calls.keys()) {
      const around = folder.catalog.surroundings(id);
      const events = await fileEvents(session, around, path);
      if (events.length === 0) continue;
      const name = `${nameOf(scenarios, id)}: ${path.slice(path.lastIndexOf("/") + 1)}`;
      tellFile(events, await timelineOf(session, around, path), name, told);
    }
  }
  return { ...told, outside: told.outside.sort() };
}

function tellFile(events: readonly FileEvent[], timeline: FileTimeline, file: string, told: Told): void {
  for (const [index, event] of events.entries()) {
    if (event.change === null || !CHANGES.includes(event.tool ?? "")) continue;
    told.changes += 1;
    const own = timeline.events.findIndex(
      ({ recordId, block }) => recordId === event.recordId && block === event.block,
    );
    const version = timeline.versionAfter[own] ?? -1;
    const rebuilt = textAt(timeline, version);
    if (rebuilt === null) told.apart.push(`${file} is not known after ${event.tool}`);
    const later = events
      .slice(index + 1)
      .flatMap(({ before, after, source, tool }) =>
        [before, after].map((seen) => ({ text: shown(seen), by: tool ?? source })),
      )
      .find(({ text }) => text !== null);
    if (!later) continue;
    told.checked += 1;
    if (later.text !== rebuilt) told.apart.push(`${file} after ${event.tool}: ${later.by} differs`);
  }
  for (const version of timeline.versions)
    if (version.kind === "outside" || version.kind === "deleted")
      told.outside.push(
        `${file} ${timeline.events[version.event]?.source} shows ${contentOf(timeline, version)}`,
      );
}

/** The whole text of a version; `null` where some of it is not known. */
function textAt(timeline: FileTimeline, version: number): string | null {
  if (!timeline.versions[version]?.complete) return null;
  return timeline.stateAt(version).text.lines.join("\n");
}

/** The whole file as a step shows it, and where it shows that there is none a word for it. */
function shown(seen: Seen | null): string | null {
  if (seen === "absent") return "(no file)";
  return seen && seen !== "empty" && seen.from === 1 && seen.total === seen.lines.length
    ? seen.lines.join("\n")
    : null;
}

function contentOf(timeline: FileTimeline, { kind, sameAs, complete }: TimelineVersion): string {
  const first = timeline.versions.findIndex(({ id }) => id === sameAs);
  if (kind === "deleted") return "that it is gone";
  return first !== -1 ? `version ${first} again` : complete ? "another text" : "some of another text";
}

function nameOf(scenarios: Record<string, Scenario>, id: SessionId): string {
  const uuid = /[0-9a-f-]{36}/.exec(id)?.[0] ?? id;
  return Object.entries(scenarios).find(([, told]) => JSON.stringify(told).includes(uuid))?.[0] ?? "another";
}

/** `/rewind` to the code as it was: no version logs it, but the next prompt's snapshot has the files. */
const REWOUND = [
  "tui-rewind-code: README.md backup shows version 0 again",
  "tui-rewind-code: greet_test.py backup shows that it is gone",
  "tui-rewind-code: hello.py backup shows version 0 again",
];

const TOLD: Record<RecordedVersion, Omit<Told, "apart">> = {
  "1.0.60": { changes: 23, checked: 4, outside: [] },
  "1.0.128": { changes: 24, checked: 7, outside: [] },
  "2.0.42": { changes: 20, checked: 12, outside: REWOUND },
  "2.0.50": { changes: 20, checked: 12, outside: REWOUND },
  "2.0.76": {
    changes: 37,
    checked: 22,
    // The rewound session and its fork, where README.md was rewound to what a snapshot already names.
    outside: ["another", "tui-rewind-code"].flatMap((name) => [
      `${name}: greet_test.py backup shows that it is gone`,
      `${name}: hello.py backup shows version 1 again`,
    ]),
  },
  "2.1.29": { changes: 25, checked: 13, outside: REWOUND },
  "2.1.42": { changes: 25, checked: 13, outside: REWOUND },
  "2.1.110": {
    changes: 39,
    checked: 26,
    // Here the prompt tells the model of it first, with the lines around the change.
    outside: [...REWOUND.slice(0, 2), "tui-rewind-code: hello.py read shows some of another text"],
  },
  "2.1.330": {
    changes: 35,
    checked: 20,
    // `/branch`: the branch's log has the snapshots of what was left behind, and not the changes that they are of.
    outside: [
      ...["README.md", "greet_test.py", "hello.py"].map(
        (file) => `tui-extra: ${file} backup shows another text`,
      ),
      ...REWOUND,
    ],
  },
};

it.each(RECORDED_VERSIONS)(
  "%s: a file after each change is what the log shows of it later",
  async (version) => {
    expect(await tell(version)).toEqual({ ...TOLD[version], apart: [] });
  },
);
