import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** From 25 on Node has a `localStorage` of its own, which is `undefined` and would hide that of the page under test. */
const NO_STORAGE = "--no-experimental-webstorage";

/** Ends what hangs. No test measures time with it: on a busy machine each takes as long as it takes. */
const HANGING_MS = 300_000;

const ALL = ["{app,bench,bin,components,lib}/**/*.test.{ts,tsx}"];
/**
 * Tests to which it matters what else their process holds: they replace globals or the environment, count memory, or watch
 * a whole server. All others share their modules, and the recordings that were opened: to load those anew for each file
 * took more than half of the time.
 */
const ISOLATED = [
  "app/**/*.test.ts",
  "components/graph/draw-graph.test.ts",
  "components/session/files/version-walk.test.ts",
  "components/session/waterfall/time-axis.test.ts",
  "components/thread/store/followed-standing.test.ts",
  "components/thread/thread-windows.test.ts",
  "lib/server/annotations/event-log.test.ts",
  "lib/server/archive/store/network-disk.test.ts",
  "lib/server/disk/{owner-only,replace-file}.test.ts",
  "lib/server/library/find-folders.test.ts",
  "lib/server/index/**/*.test.ts",
  "lib/server/runtime/*.test.ts",
  "lib/server/shares/{full-disk,held-copies,share-file}.test.ts",
  "lib/server/session/scenarios/{memory-budget,mutated-lines}.test.ts",
];
/** These wait more than they work, for watches, for locks and for programs of their own, as most of the isolated do. */
const WAITING = ["bin/**/*.test.{ts,tsx}", "lib/server/live/**/*.test.ts"];
const WAITING_WORKERS = 2 * availableParallelism();
/**
 * These draw, or need what a browser has. Each has a page and modules of its own, replaced ones too, in a process that
 * they share (`new-page.ts`): in processes of their own they took three times as long.
 */
const PAGES = testsWith(/^\/\/ @vitest-environment page$/m);
/** These replace modules, for all that their process loads. */
const MOCKING = testsWith(/\bvi\.(doM|m)ock\(/).filter((file) => !PAGES.includes(file));

/** The test files whose source has this, as globs. */
function testsWith(pattern: RegExp): string[] {
  const folders = ["app", "bench", "bin", "components", "lib"];
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file.replaceAll("\\", "/")}`,
    ),
  );
  const tests = files.filter((file) => /\.test\.tsx?$/.test(file));
  const found = tests.filter((file) => pattern.test(readFileSync(new URL(file, import.meta.url), "utf8")));
  // Folders of routes are named after what is in the address: `[id]`.
  return found.map((file) => file.replaceAll(/[()[\]]/g, "\\$&"));
}

/**
 * What pages are made of, each built once into one file, which loads sooner than its many: every test that draws loads
 * all of it. React itself stays as it is, so that there is one of it. What a test mocks cannot be here.
 */
const OF_PAGES = [
  "@tanstack/react-query",
  "@tanstack/react-virtual",
  "cmdk",
  "lucide-react",
  "nuqs",
  "nuqs/adapters/react",
  "nuqs/adapters/testing",
  "radix-ui",
  "react-dom",
  "react-dom/client",
  "zustand",
];
const OF_ALL_PAGES = { optimizer: { client: { enabled: true, include: OF_PAGES } } };

/** Those that share their modules and take longest: begun last, one of them keeps a core busy alone. */
const LONGEST = [
  "lib/server/http/scenarios/kept-sessions.test.ts",
  "lib/server/export/clone/clone-session.test.ts",
  "lib/server/archive/scenarios/crashes.test.ts",
  "lib/server/session/scenarios/growing-recordings.test.ts",
  "lib/server/export/redacted-exports.test.ts",
  "lib/server/session/scenarios/cost.test.ts",
];

/** By itself Vitest begins with the largest files, where it has not seen how long each takes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(`/${name}`));
    const of = (name: string) => sorted.filter(({ project }) => project.name === name);
    const shared = of("shared modules");
    return [
      ...of("isolated"),
      ...of("waiting"),
      ...of("shared pages"),
      ...shared.filter(isLong),
      ...shared.filter((file) => !isLong(file)),
    ];
  }
}

export default defineConfig({
  resolve: {
    alias: {
      "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, ""),
      // What `@vitest-environment page` means.
      "vitest-environment-page": fileURLToPath(
        new URL("lib/testing/page/page-environment.ts", import.meta.url),
      ),
    },
  },
  test: {
    // By itself it leaves one core idle, half of what a small machine has.
    maxWorkers: "100%",
    execArgv: process.allowedNodeEnvironmentFlags.has(NO_STORAGE) ? [NO_STORAGE] : [],
    testTimeout: HANGING_MS,
    hookTimeout: HANGING_MS,
    expect: { poll: { timeout: HANGING_MS } },
    setupFiles: ["lib/testing/patient-waits.ts"],
    globalSetup: ["lib/testing/recorded.ts", "lib/testing/page/bundled-happy-dom.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "shared modules",
          isolate: false,
          include: ALL,
          exclude: [...ISOLATED, ...MOCKING, ...WAITING, ...PAGES],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "shared pages",
          setupFiles: ["lib/testing/page/new-page.ts"],
          isolate: false,
          include: PAGES,
          exclude: [...ISOLATED, ...MOCKING],
          deps: OF_ALL_PAGES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "waiting",
          isolate: false,
          include: WAITING,
          exclude: MOCKING,
          maxWorkers: WAITING_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: [...ISOLATED, ...MOCKING],
          maxWorkers: WAITING_WORKERS,
        },
      },
    ],
  },
});
