import { delimiter, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readingFlags, readOptions } from "./options.mjs";

describe("readOptions", () => {
  it("has defaults", () => {
    expect(readOptions([], {})).toEqual({
      port: 4747,
      host: "127.0.0.1",
      allowHosts: [],
      basePath: "",
      claudeDirs: [],
      paths: [],
      dataDir: undefined,
      archiveDir: undefined,
      archive: true,
      token: undefined,
      newToken: false,
      open: true,
      command: null,
      demo: false,
      help: false,
      version: false,
    });
  });

  it("takes a variable that is empty for none, as a shell or a container sets one", () => {
    const names = ["PORT", "HOST", "TOKEN", "ALLOW_HOST", "BASE_PATH", "DATA_DIR", "PRICES", "NEW_TOKEN"];
    expect(readOptions([], Object.fromEntries(names.map((name) => [`BACKSCROLL_${name}`, ""])))).toEqual(
      readOptions([], {}),
    );
  });

  it("gives help to whoever asks for it, whatever else is missing or wrong", () => {
    for (const args of [
      "export --help",
      "export abc -h",
      "restore abc --help",
      "why --help",
      "archive remove --help",
      "annotations --help",
      "--port x --help",
      "export --version",
    ]) {
      const { help, version, command } = readOptions(args.split(" "), { BACKSCROLL_PORT: "x" });
      expect([args, help || version, command]).toEqual([args, true, null]);
    }
  });

  it("reads flags, of which some may be repeated, and paths", () => {
    const args =
      "--port 0 --allow-host a --allow-host [::2]:80 --claude-dir x --claude-dir=y --no-open one two";
    expect(readOptions(args.split(" "), {})).toMatchObject({
      port: 0,
      allowHosts: ["a", "[::2]:80"],
      claudeDirs: ["x", "y"],
      open: false,
      paths: ["one", "two"],
    });
  });

  it("takes a path to serve below from its flag or variable, and no other text", () => {
    expect(readOptions(["--base-path", "/team/logs-2"], {}).basePath).toBe("/team/logs-2");
    expect(readOptions([], { BACKSCROLL_BASE_PATH: "/~me" }).basePath).toBe("/~me");
    expect(readOptions(["--base-path", "/"], { BACKSCROLL_BASE_PATH: "/~me" }).basePath).toBe("");
    for (const path of [
      "logs",
      "/logs/",
      "//logs",
      "/a//b",
      "/..",
      "/a/../b",
      "/.",
      "/a b",
      "/a?b",
      "/%61",
      "/ä",
    ])
      expect(() => readOptions(["--base-path", path], {}), path).toThrow(
        `"${path}" is not a path to serve below. Give --base-path one that begins with /`,
      );
  });

  it("tells the flags with which another run reads the same", () => {
    const args = ["--claude-dir", "/a", "--data-dir", "/d", "--archive-dir", "/k", "--port", "1", "/logs"];
    const flags = ["--claude-dir", "/a", "--data-dir", "/d", "--archive-dir", "/k", "/logs"];
    expect(readingFlags(readOptions(args, {}))).toEqual(
      flags.map((flag) => (flag.startsWith("--") ? flag : resolve(flag))),
    );
    expect(readingFlags(readOptions([], {}))).toEqual([]);
  });

  it("reads the environment, over which flags win", () => {
    const env = {
      BACKSCROLL_PORT: "1",
      BACKSCROLL_HOST: "::1",
      BACKSCROLL_ALLOW_HOST: "a,b",
      BACKSCROLL_CLAUDE_DIR: ["x", "y"].join(delimiter),
      BACKSCROLL_DATA_DIR: "d",
      BACKSCROLL_ARCHIVE_DIR: "kept",
      BACKSCROLL_NO_ARCHIVE: "1",
      BACKSCROLL_TOKEN: "0123456789abcdef",
      BACKSCROLL_NEW_TOKEN: "0",
      BACKSCROLL_NO_OPEN: "1",
      BACKSCROLL_DEMO: "true",
    };
    const fromEnv = readOptions([], env);
    expect(fromEnv).toMatchObject({ port: 1, host: "::1", allowHosts: ["a", "b"], claudeDirs: ["x", "y"] });
    expect(fromEnv).toMatchObject({ archiveDir: "kept", archive: false });
    expect(fromEnv).toMatchObject({ dataDir: "d", newToken: false, open: false, demo: true });
    expect(readOptions(["--port", "2", "--host", "127.0.0.1"], env)).toMatchObject({
      port: 2,
      host: "127.0.0.1",
    });
  });

  it.each([
    [["--data-dir", ""], "--data-dir is given nothing"],
    [["--claude-dir", "a", "--claude-dir", ""], "--claude-dir is given nothing"],
    [["usage", "--from", ""], "--from is given nothing"],
    [["export", "a", "--format", "md", "--without", ""], "--without is given nothing"],
    [["--port", "4747x"], "is not a port"],
    [["--port", "1e3"], "is not a port"],
    [["--port", "x"], "Give --port a number from 0 to 65535."],
    [["--port", "65536"], '"65536" is not a port'],
    [["--port"], "See backscroll --help."],
    [["search", "x", "--limit", "-5"], "--limit needs a value. One that begins with a dash is given as"],
    [["--nope"], "Unknown option '--nope'. See backscroll --help."],
    [["--prot", "1"], "Unknown option '--prot'. It is spelled --port."],
    [["--claudedir", "x"], "Unknown option '--claudedir'. It is spelled --claude-dir."],
    ...["search", "sessions", "prompts"].map((command): [string[], string] => [
      [command, "retry", "-draft"],
      "Unknown option '-d'. A word of a query that begins with a dash goes last, after --.",
    ]),
    [["search", "retry", "--draft"], "Unknown option '--draft'. See backscroll --help."],
    [["--no-open=1"], "does not take an argument"],
    [["--token", "häßlich-und-lang-genug"], "16 or more"],
    [["--token", "short"], "16 or more"],
    [["--token", "0123456789abcde/"], "16 or more"],
    [["--token", "0123456789abcdef", "--new-token"], "exclude each other"],
    [["--host", "a b"], "is not an address"],
    [["--allow-host", "a/b"], "is not a host name"],
    [["--allow-host", "http://box"], "without http://"],
  ])("refuses %j", (args, reason) => {
    expect(() => readOptions(args, {})).toThrow(reason);
  });
});
