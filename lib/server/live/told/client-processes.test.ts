import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeProcesses } from "@/lib/testing/live/fake-processes";
import { onPlatform } from "@/lib/testing/on-platform";
import { ClientProcesses } from "./client-processes";

const SLUG = "-home-dev-shop";
// Not on Windows, where links to what is not there may not be made.
describe.skipIf(process.platform === "win32")("the clients that run here", () => {
  let processes: FakeProcesses;
  beforeEach(() => {
    onPlatform("linux");
    processes = new FakeProcesses();
  });
  afterEach(() => processes.remove());

  const pidsIn = (slug: string) => new ClientProcesses(processes.folder).in(slug)?.map(({ pid }) => pid);

  it("clients are known by their title, or by what was started", () => {
    processes.add(11);
    processes.add(12, { comm: "2.0.76", argv: ["/home/dev/.local/share/claude/versions/2.0.76"] });
    processes.add(13, {
      comm: "node",
      argv: ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"],
    });
    processes.add(14, { comm: "node", argv: ["/usr/bin/node", "/usr/bin/claude", "-p"] });
    processes.add(15, { comm: "vim", argv: ["vim", "claude.md"] });
    processes.add(16, { comm: "claude-notes" });
    processes.add(17, { comm: "sh", argv: ["sh", "-c", "claude"] });
    expect(pidsIn(SLUG)).toEqual([11, 12, 13, 14]);
  });

  it("each is one of the folder that it works in, until it ends", () => {
    processes.add(11);
    processes.add(12, { cwd: "/home/dev/shop/sub" });
    processes.add(13, { cwd: "/home/dev/my.shop" });
    const clients = new ClientProcesses(processes.folder);
    expect(clients.in(SLUG, 1_000)).toMatchObject([{ pid: 11, startTicks: "1000" }]);
    expect(clients.in("-home-dev-my-shop", 1_000)).toMatchObject([{ pid: 13, startTicks: "1000" }]);
    processes.setState(11, "Z");
    expect(clients.in(SLUG, 2_000)).toEqual([]);
    processes.end(13);
    // It was listed a moment ago.
    expect(clients.in("-home-dev-my-shop", 2_100)).toHaveLength(1);
    expect(clients.in("-home-dev-my-shop", 3_000)).toEqual([]);
    // Its pid is another one's now.
    processes.end(12);
    processes.add(12, { startTicks: 2_000 });
    expect(clients.in(SLUG, 4_000)).toMatchObject([{ pid: 12, startTicks: "2000" }]);
  });

  it("one that has just begun is asked again what it is", () => {
    processes.add(11, { comm: "node", argv: ["node", "x"] });
    const clients = new ClientProcesses(processes.folder);
    expect(clients.in(SLUG, 1_000)).toEqual([]);
    processes.end(11);
    processes.add(11);
    expect(clients.in(SLUG, 20_000)).toHaveLength(1);
  });

  it("nothing can be told where one may not be looked at that might write there", () => {
    processes.add(11);
    processes.add(12, { cwd: null });
    expect(new ClientProcesses(processes.folder).in(SLUG)).toBe(null);
  });

  it("none is known on another system, or where nothing tells of processes", () => {
    processes.add(11);
    expect(new ClientProcesses(`${processes.folder}/missing`).in(SLUG)).toEqual([]);
    onPlatform("darwin");
    expect(pidsIn(SLUG)).toEqual([]);
  });
});
