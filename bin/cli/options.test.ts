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

  it("asks for records of an export by both ends, or one by one", () => {
    const query = (records: string) => {
      const { command } = readOptions(["export", "abc", "--format", "md", "--records", records], {});
      return command?.name === "export" ? command.query : null;
    };
    expect(query("m~1k9..m~2ab")).toBe("format=md&records=m%7E1k9..m%7E2ab");
    expect(query("m~1k9,m~2ab")).toBe("format=md&records=m%7E1k9%2Cm%7E2ab");
    for (const records of ["3-7", "m~1..", "m~1..m~2..m~3", "m~1,", "m~1.0"])
      expect(() => query(records), records).toThrow(`"${records}" names no records.`);
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

  it("takes the words behind prompts as what they are narrowed to, or none", () => {
    const all = { name: "prompts", query: "", from: null, to: null, project: null, limit: 50, json: false };
    expect(readOptions(["prompts"], {})).toMatchObject({ command: all, paths: [] });
    const flags = "--from 2026-11-01 --to 2026-11-30 --limit 5 --json".split(" ");
    expect(readOptions(["prompts", "flaky retry", "is:error", ...flags], {}).command).toEqual({
      ...{
        ...all,
        query: "flaky retry is:error",
        from: "2026-11-01",
        to: "2026-11-30",
        limit: 5,
        json: true,
      },
    });
    expect(() => readOptions(["prompts", "--limit", "0"], {})).toThrow('"0" is no number of results.');
  });

  it("takes all words of a search as its query", () => {
    expect(readOptions(["search", "flaky retry", "in:prompt", "--limit", "5"], {})).toMatchObject({
      command: { name: "search", query: "flaky retry in:prompt", project: null, limit: 5, json: false },
      paths: [],
    });
    expect(readOptions(["search", "retry", "--limit", "5", "--", "-draft"], {})).toMatchObject({
      command: { name: "search", query: "retry -draft", limit: 5 },
    });
  });

  it("reads commands; what follows their own words are paths", () => {
    expect(readOptions(["index", "logs"], {})).toMatchObject({ command: { name: "index" }, paths: ["logs"] });
    expect(readOptions(["doctor", "--json"], {}).command).toEqual({
      name: "doctor",
      secrets: false,
      format: "json",
    });
    expect(
      readOptions("usage --by model --from 2026-11-01 --to 2026-11-30 --json".split(" "), {}).command,
    ).toEqual({
      name: "usage",
      by: "model",
      query: "by=model&from=2026-11-01&to=2026-11-30",
      project: null,
      json: true,
    });
    expect(readOptions(["doctor", "--secrets", "--sarif"], {}).command).toEqual({
      name: "doctor",
      secrets: true,
      format: "sarif",
    });
    expect(readOptions(["export", "abc", "--format", "md", "-o", "x.md"], {}).command).toEqual({
      name: "export",
      sessions: ["abc"],
      query: "format=md",
      output: resolve("x.md"),
      isZip: false,
    });
    expect(
      readOptions(
        "export a b c --format md --to x.zip --redact --tilde --relative --comments".split(" "),
        {},
      ),
    ).toMatchObject({
      command: {
        sessions: ["a", "b", "c"],
        query: "format=md&redact=1&tilde=1&relative=1&comments=1",
        output: resolve("x.zip"),
        isZip: true,
      },
      paths: [],
    });
    const outputOf = (args: string) => readOptions(args.split(" "), {}).command;
    for (const args of [
      "export abc --format md -o -",
      "export a b --format md --to -",
      "annotations export --output -",
    ])
      expect(outputOf(args), args).toMatchObject({ output: undefined });
    expect(outputOf("export abc --format md -o ./-")).toMatchObject({ output: resolve("-") });
    const part =
      "export abc --format json --redact --branch 2 --turns 3-7 --without thinking,tools,agents,images";
    expect(readOptions(part.split(" "), {}).command).toMatchObject({
      query: "format=json&redact=1&branch=2&turns=3-7&thinking=0&tools=0&agents=0&images=0",
    });
    expect(readOptions(["why", "src/a:b.ts:12", "logs"], {})).toMatchObject({
      command: { name: "why", path: resolve("src/a:b.ts"), line: 12, json: false },
      paths: ["logs"],
    });
    for (const place of [[], ["a.ts"], ["a.ts:0"], [":3"]])
      expect(() => readOptions(["why", ...place], {})).toThrow("give a line of a file");
    expect(readOptions(["archive", "--json"], {}).command).toEqual({
      name: "archive",
      action: "status",
      json: true,
    });
    expect(readOptions(["archive", "export", "dir"], {})).toMatchObject({
      command: { name: "archive", action: "export", folder: resolve("dir") },
      paths: [],
    });
    expect(readOptions(["archive", "remove", "a", "b", "--older-than", "9", "--yes"], {}).command).toEqual({
      name: "archive",
      action: "remove",
      words: ["a", "b"],
      olderThanDays: 9,
      yes: true,
    });
    expect(readOptions(["restore", "abc", "--to", "there", "logs"], {})).toMatchObject({
      command: { name: "restore", session: "abc", to: resolve("there"), project: null },
      paths: ["logs"],
    });
    expect(readOptions(["./index"], {})).toMatchObject({ command: null, paths: ["./index"] });
  });

  it("takes what may be a folder for one, from where it is named", () => {
    expect(readOptions(["usage", "--project", "shop/"], {}).command).toMatchObject({
      query: "by=day",
      project: ["shop/", resolve("shop")],
    });
    const { command } = readOptions(["archive", "remove", "1a2b", "shop/", "."], {});
    expect(command).toMatchObject({ words: ["1a2b", resolve("shop"), resolve(".")] });
  });

  it("never guesses where to restore to", () => {
    const moved = ["restore", "abc", "--to", "there", "--project", "new/shop"];
    expect(readOptions(moved, {}).command).toMatchObject({ project: resolve("new/shop") });
    expect(() => readOptions(["restore", "abc"], {})).toThrow("say where to");
    expect(() => readOptions(["restore"], {})).toThrow("give the session to restore");
    expect(() => readOptions(["doctor", "--to", "x"], {})).toThrow("--to belongs to");
  });

  it("takes one file of a session, or with a folder all that it changed", () => {
    const at = "m~1k9.0:before";
    expect(readOptions(["files", "abc", "src/a.ts", "--at", at, "--output", "-", "logs"], {})).toMatchObject({
      command: { name: "files", session: "abc", path: "src/a.ts", at, output: undefined, to: null },
      paths: ["logs"],
    });
    expect(readOptions(["files", "abc", "--to", "there"], {}).command).toMatchObject({
      to: resolve("there"),
    });
    expect(() => readOptions(["files"], {})).toThrow("give the session to files");
    expect(() => readOptions(["files", "abc", "--output", "x"], {})).toThrow("give the file");
    expect(() => readOptions(["files", "abc", "a.ts", "--to", "there"], {})).toThrow("takes all files");
    expect(() => readOptions(["files", "abc", "a.ts", "--at", "turn 2"], {})).toThrow("names no record");
    expect(() => readOptions(["why", "a.ts:1", "--at", "m~1"], {})).toThrow(
      "--at belongs to backscroll files",
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

  it("reads what to do with annotations", () => {
    const command = (...args: string[]) => readOptions(["annotations", ...args], {}).command;
    expect(command("export", "--output", "a.json")).toEqual({
      name: "annotations",
      action: "export",
      output: resolve("a.json"),
    });
    expect(command("import", "a.json")).toEqual({
      name: "annotations",
      action: "import",
      file: resolve("a.json"),
    });
    for (const args of [[], ["import"], ["import", "a", "b"], ["export", "a"], ["import", "a", "-o", "b"]])
      expect(() => command(...args)).toThrow("say what to do");
  });

  it.each([
    [["export", "a", "--format", "md", "--turns", "0-3"], "names no turns. Give --turns a number, like 3"],
    [
      ["export", "a", "--format", "md", "--without", "text"],
      "Give --without any of thinking, tools, agents, images",
    ],
    [["--data-dir", ""], "--data-dir is given nothing"],
    [["--claude-dir", "a", "--claude-dir", ""], "--claude-dir is given nothing"],
    [["usage", "--from", ""], "--from is given nothing"],
    [["export", "a", "--format", "md", "--without", ""], "--without is given nothing"],
    [["export", "a", "--format", "jsonl", "--digest", "0"], "is no number of turns"],
    [["export", "a", "b", "--format", "md", "--to", "x", "--turns", "3"], "--turns is for one session"],
    [["doctor", "--turns", "3"], "--turns belongs to backscroll export"],
    [["--port", "4747x"], "is not a port"],
    [["--port", "1e3"], "is not a port"],
    [["--port", "x"], "Give --port a number from 0 to 65535."],
    [["--port", "65536"], '"65536" is not a port'],
    [["--port"], "See backscroll --help."],
    [["search", "x", "--limit", "-5"], "--limit needs a value. One that begins with a dash is given as"],
    [["--nope"], "Unknown option '--nope'. See backscroll --help."],
    [["--prot", "1"], "Unknown option '--prot'. It is spelled --port."],
    [["--claudedir", "x"], "Unknown option '--claudedir'. It is spelled --claude-dir."],
    [
      ["search", "retry", "-draft"],
      "Unknown option '-d'. A word of a query that begins with a dash goes last, after --.",
    ],
    [["search", "retry", "--draft"], "Unknown option '--draft'. See backscroll --help."],
    [["--no-open=1"], "does not take an argument"],
    [["--token", "häßlich-und-lang-genug"], "16 or more"],
    [["--token", "short"], "16 or more"],
    [["--token", "0123456789abcde/"], "16 or more"],
    [["--token", "0123456789abcdef", "--new-token"], "exclude each other"],
    [["--host", "a b"], "is not an address"],
    [["--allow-host", "a/b"], "is not a host name"],
    [["--allow-host", "http://box"], "without http://"],
    [["export"], "give the session"],
    [["export", "abc"], "give --format one of html, md"],
    [["export", "abc", "--format", "pdf"], "give --format one of"],
    [["index", "--json"], "belongs to backscroll doctor"],
    [["usage", "--by", "weather"], "give --by one of day, week"],
    [["index", "--by", "day"], "--by belongs to backscroll usage"],
    [["index", "--project", "a"], "--project belongs to backscroll search, usage, prompts and restore"],
    [["usage", "--limit", "3"], "--limit belongs to backscroll search and prompts"],
    [["search"], "say what to look for"],
    [["search", "x", "--limit", "0"], "is no number of results"],
    [["archive", "export"], "give one folder"],
    [["archive", "import", "a", "b"], "give one folder"],
    [["archive", "verify", "/mnt/copy"], "Give another with --archive-dir"],
    [["archive", "verify", "--json"], "--json belongs to backscroll archive alone"],
    [["archive", "remove"], "say what to remove"],
    [["archive", "remove", ""], "an empty word"],
    [["archive", "remove", "--older-than", "x"], "is no number of days. Give --older-than one"],
    [["--yes"], "--yes belongs to backscroll archive"],
    [["archive", "verify", "--yes"], "belong to backscroll archive remove"],
    [["doctor", "--sarif"], "belongs to --secrets"],
    [["index", "--redact"], "belongs to backscroll export"],
    [["export", "abc", "--format", "log", "--tilde"], "--tilde does not go with --format log"],
    [
      ["export", "abc", "--format", "trace", "--comments"],
      "--comments goes with --format html or md or json",
    ],
    [["export", "abc", "--format", "jsonl", "--relative"], "--relative does not go with --format jsonl"],
    [["--output", "x"], "belongs to backscroll export"],
  ])("refuses %j", (args, reason) => {
    expect(() => readOptions(args, {})).toThrow(reason);
  });
});
