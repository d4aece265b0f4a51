import { expect, test } from "vitest";
import { restartLean } from "./lean-memory.mjs";

type Start = { file: string; args: string[]; env: Record<string, string | undefined> };

function programOn(platform: NodeJS.Platform, node = "24.21.0") {
  const starts: Start[] = [];
  const program = {
    ...{
      platform,
      versions: { ...process.versions, node },
      execPath: "/usr/bin/node",
      execArgv: ["--inspect"],
    },
    argv: ["/usr/bin/node", "backscroll.mjs", "--port", "4000"],
    execve: (file: string, args: string[], env: Record<string, string | undefined>) =>
      void starts.push({ file, args, env }),
  };
  return { program, starts };
}

test("a start on Linux is made anew once, with settings for the allocator that nothing else gets", () => {
  const { program, starts } = programOn("linux");
  restartLean({ HOME: "/home/dev" }, program);
  const [start] = starts;
  expect(start?.file).toBe("/usr/bin/node");
  expect(start?.args).toEqual([
    "/usr/bin/node",
    "--max-semi-space-size=16",
    ...["--inspect", "backscroll.mjs", "--port", "4000"],
  ]);
  expect(start?.env).toMatchObject({ HOME: "/home/dev", MALLOC_ARENA_MAX: "1" });
  const env = { ...start?.env };
  restartLean(env, program);
  expect(starts).toHaveLength(1);
  expect(env).toEqual({ HOME: "/home/dev" });
});

test("Node 22 keeps the limits of each thread, which a setting for all of them would replace", () => {
  const { program, starts } = programOn("linux", "22.23.3");
  restartLean({}, program);
  expect(starts[0]?.args).toEqual(["/usr/bin/node", "--inspect", "backscroll.mjs", "--port", "4000"]);
  expect(starts[0]?.env).toMatchObject({ MALLOC_ARENA_MAX: "1" });
});

test("a user's own settings stay, and other systems have none", () => {
  const linux = programOn("linux");
  const own = { MALLOC_ARENA_MAX: "4" };
  restartLean(own, linux.program);
  expect(own).toEqual({ MALLOC_ARENA_MAX: "4" });
  const roomy = programOn("linux");
  restartLean({ NODE_OPTIONS: "--max_old_space_size=900 --max-semi-space-size=64" }, roomy.program);
  expect(roomy.starts[0]?.args.slice(1, 3)).toEqual(["--inspect", "backscroll.mjs"]);
  const mac = programOn("darwin");
  restartLean({}, mac.program);
  const { execve: _, ...older } = linux.program;
  restartLean({}, older);
  expect([...linux.starts, ...mac.starts]).toEqual([]);
});
