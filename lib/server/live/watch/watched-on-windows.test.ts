import { EventEmitter } from "node:events";
import type { Stats } from "node:fs";
import { expect, test, vi } from "vitest";
import { RootWatcher } from "./root-watcher";

vi.mock("node:path", async (actual) => {
  const { win32 } = await actual<typeof import("node:path")>();
  return { ...win32, default: win32 };
});

type Options = { ignored: (path: string, stats?: Stats) => boolean };
const made: Options[] = [];

vi.mock("chokidar", () => ({
  FSWatcher: class extends EventEmitter {
    _nodeFsHandler = { _handleRead: () => undefined, _watchWithNodeFs: () => undefined };
    _readdirp = () => undefined;
    constructor(options: Options) {
      super();
      made.push(options);
    }
    getWatched = () => ({});
    add = () => queueMicrotask(() => this.emit("ready"));
    close = async () => undefined;
  },
}));

const FOLDER = { isDirectory: () => true, isFile: () => false } as Stats;

test("on Windows, too, nothing of a configuration folder is watched but logs and the registry", async () => {
  const config = "C:\\Users\\dev\\.claude";
  const watcher = new RootWatcher(() => undefined);
  await watcher.start({ configs: [config], logs: [`${config}\\projects`] });
  await watcher.stop();
  // chokidar asks with slashes, whatever the system's are.
  const isWatched = (path: string) => !made[0]?.ignored(path.replaceAll("\\", "/"), FOLDER);
  const below = [
    "",
    "\\projects",
    "\\sessions",
    "\\projects\\C--shop",
    "\\plugins",
    "\\shell-snapshots",
    "\\todos",
  ];
  expect(below.filter((path) => isWatched(config + path))).toEqual(below.slice(0, 4));
});
