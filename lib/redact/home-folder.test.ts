import { describe, expect, it } from "vitest";
import { homeFoldersOf, type Rewriting, withShortPaths } from "./home-folder";
import { Redaction } from "./redaction";

describe("homeFoldersOf", () => {
  it("knows the home folders of each system, and of accounts that many machines have", () => {
    const paths = [
      ...["/home/maria/shop", "/home/maria/.claude", "/Users/maria/shop", "C:\\Users\\Maria Lind\\shop"],
      ...["/root/work", "/var/home/maria/shop", "/mnt/c/Users/maria", "/srv/shop", "/homes/maria", ""],
    ];
    expect(homeFoldersOf(paths)).toEqual([
      ...["/home/maria", "/Users/maria", "C:\\Users\\Maria Lind"],
      ...["/root", "/var/home/maria", "/mnt/c/Users/maria"],
    ]);
  });
});

describe("withShortPaths, of a home folder", () => {
  const withTilde = (homes: readonly string[], secrets: Rewriting | null) =>
    withShortPaths({ homes, project: null }, secrets);
  const inHome = (text: string, home = "/home/maria") => withTilde([home], null)?.redactText(text);

  it("stands for the home folder where a path begins with it, and nowhere else", () => {
    for (const [text, short] of [
      ["cd /home/maria/shop && ls", "cd ~/shop && ls"],
      ["in /home/maria.", "in ~."],
      ["PATH=/home/maria/bin:/home/maria/go/bin", "PATH=~/bin:~/go/bin"],
      ["file:///home/maria/a.txt", "file://~/a.txt"],
      ["/home/maria", "~"],
      ...[
        "/home/maria2/x",
        "/home/maria.old/x",
        "/home/maria-lind",
        "/backup/home/maria/x",
        "x/home/maria/y",
      ].map((same) => [same, same]),
    ])
      expect(inHome(text as string), text).toBe(short);
  });

  it("knows a home folder of Windows however it is spelled", () => {
    for (const text of [
      ...["C:\\Users\\maria\\shop", "c:/users/Maria\\shop", "C:\\\\Users\\\\maria\\shop"],
      ...["/c/Users/maria\\shop", "/mnt/c/Users/maria\\shop"],
    ])
      expect(inHome(text, "C:\\Users\\maria"), text).toBe("~\\shop");
    expect(inHome("D:\\Users\\maria", "C:\\Users\\maria")).toBe("D:\\Users\\maria");
  });

  it("leaves all else of a line byte for byte, keys included in what it shortens", () => {
    const line = String.raw`{"cwd":"\/home/maria\u002fshop", "n":1e3,"files":{"/home/maria/a":"A\nhome/maria"},"x":"é\u00e9"}`;
    expect(withTilde(["/home/maria"], null)?.redactLine(line)).toBe(
      String.raw`{"cwd":"~/shop", "n":1e3,"files":{"~/a":"A\nhome/maria"},"x":"é\u00e9"}`,
    );
    const newline = String.raw`{"text":"two lines:\n/home/maria/a"}`;
    expect(withTilde(["/home/maria"], null)?.redactLine(newline)).toBe(
      String.raw`{"text":"two lines:\n~/a"}`,
    );
    const torn = '{"cwd":"/home/maria/shop';
    expect(withTilde(["/home/maria"], null)?.redactLine(torn)).toBe('{"cwd":"~/shop');
  });

  it("stands for a home folder whose owner's name was replaced as well", () => {
    const redaction = new Redaction();
    redaction.learn('{"cwd":"/home/marlowe/shop"}', () => undefined);
    const seen = withTilde(["/home/marlowe"], redaction);
    expect(redaction.redactText("/home/marlowe/shop")).toContain("[user 1]");
    expect(seen?.redactText("/home/marlowe/shop by marlowe")).toBe("~/shop by [user 1]");
    expect(withTilde([], redaction)).toBe(redaction);
  });
});

describe("withShortPaths, of a project", () => {
  const short = (text: string, project: string, homes: readonly string[] = []) =>
    withShortPaths({ homes, project }, null)?.redactText(text);

  it.each([
    ["Read /home/maria/shop/src/retry.ts:12", "Read src/retry.ts:12"],
    ["cd /home/maria/shop && ls /home/maria/shop/", "cd . && ls ./"],
    ["PATH=/home/maria/shop/bin:/home/maria/go/bin", "PATH=bin:~/go/bin"],
    ['{"/home/maria/shop/.env":"/home/maria/shop/","a":1}', '{".env":"./","a":1}'],
    ["rm /home/maria/shop/*.log, /home/maria/shop/.", "rm *.log, ."],
    ["/home/maria/shop2/x /home/maria/shop.old/x", "~/shop2/x ~/shop.old/x"],
    ["/backup/home/maria/shop/x", "/backup/home/maria/shop/x"],
    ["/home/maria/notes.md and /etc/hosts", "~/notes.md and /etc/hosts"],
  ])("writes %j as %j", (text, expected) => {
    expect(short(text, "/home/maria/shop", ["/home/maria"])).toBe(expected);
    expect(short(text, "/home/maria/shop/", ["/home/maria"])).toBe(expected);
  });

  it("knows a folder of Windows however it is spelled", () => {
    for (const text of [
      ...[
        "C:\\Users\\maria\\shop\\src\\a.ts",
        "c:/users/Maria\\shop/src\\a.ts",
        "/mnt/c/Users/maria/shop/src\\a.ts",
      ],
      "C:\\\\Users\\\\maria\\\\shop\\\\src\\a.ts",
    ])
      expect(short(text, "C:\\Users\\maria\\shop"), text).toBe("src\\a.ts");
  });

  it("shortens nothing where the project is the whole disk, or its folder is not known", () => {
    for (const project of ["/", "C:\\", "", "shop"])
      expect(withShortPaths({ homes: [], project }, null), project).toBeNull();
  });

  it("leaves all else of a line byte for byte, and knows a folder whose owner's name was replaced", () => {
    const line = String.raw`{"cwd":"\/home/marlowe/shop", "n":1e3,"p":"\u002fhome/marlowe/shop/a\n","x":"\u00e9"}`;
    const redaction = new Redaction();
    redaction.learn(line, () => undefined);
    for (const secrets of [null, redaction])
      expect(withShortPaths({ homes: [], project: "/home/marlowe/shop" }, secrets)?.redactLine(line)).toBe(
        String.raw`{"cwd":".", "n":1e3,"p":"a\n","x":"\u00e9"}`,
      );
  });

  it("keeps the name of the project where an answer says which it is", () => {
    const answer = { project: { path: "/home/maria/shop" }, cwd: "/home/maria/shop" };
    const seen = withShortPaths({ homes: [], project: "/home/maria/shop" }, null);
    expect(seen?.redactLine(JSON.stringify(answer))).toBe('{"project":{"path":"shop"},"cwd":"."}');
  });
});
