import { describe, expect, it, test } from "vitest";
import {
  clip,
  comparablePath,
  compareVersions,
  firstWords,
  pathBelow,
  projectNames,
  shortenHome,
  spellControls,
  splitPastes,
  splitPath,
  textStart,
  titleOfPrompt,
  toPrintableJson,
} from "./text";

describe("a text that is cut", () => {
  it("never ends in half a character", () => {
    for (let length = 0; length < 12; length += 1) {
      const text = `ab${"🙂".repeat(8)}`;
      for (const cut of [textStart(text, length), firstWords(text, length), clip(text, length)]) {
        expect(cut).not.toMatch(/\p{Cs}|\ufffd/u);
        expect(cut.length).toBeLessThanOrEqual(Math.max(1, length));
      }
    }
    expect(textStart("a🙂b", 3)).toBe("a🙂");
    expect(textStart("a🙂b", 2)).toBe("a");
    expect(clip("a🙂b", 3)).toBe("a…");
  });

  it("is whole where it fits, as it was written", () => {
    expect(textStart("a🙂", 3)).toBe("a🙂");
    expect(textStart("half \ud83d", 6)).toBe("half \ud83d");
    expect(firstWords(" two \n words ", 9)).toBe("two words");
    expect(firstWords("two words", 8)).toBe("two wor…");
  });
});

describe("split pastes", () => {
  const PASTE = '<pasted_content id="e6f3">\nline 0\nline 1\n</pasted_content id="e6f3">';

  const read = (prompt: string) =>
    splitPastes(prompt).map(
      ({ pasted, text }) => `${pasted ? "pasted" : "typed"}: ${JSON.stringify(text.trim())}`,
    );

  describe("splitPastes", () => {
    it("leaves a typed prompt as it is", () => {
      expect(splitPastes(" fix <b>it</b>\n")).toEqual([{ pasted: false, text: " fix <b>it</b>\n" }]);
    });

    it("parts what was pasted from what was typed around it", () => {
      expect(read(`Look:\n${PASTE}\n\n And this?`)).toEqual([
        'typed: "Look:"',
        'pasted: "line 0\\nline 1"',
        'typed: "And this?"',
      ]);
      expect(read(`${PASTE}${PASTE}`)).toHaveLength(2);
    });

    it("reads a paste that was cut to its end, and ignores tags inside of a paste", () => {
      expect(read('<pasted_content id="a">\nline 0')).toEqual(['pasted: "line 0"']);
      expect(read("<pasted_content>a <pasted_content> b</pasted_content> c")).toEqual([
        'pasted: "a <pasted_content> b"',
        'typed: "c"',
      ]);
    });

    it("ignores closing tags of pastes inside of a paste", () => {
      expect(read(`<pasted_content id="b">\nsee ${PASTE} there\n</pasted_content id="b"> Why?`)).toEqual([
        expect.stringContaining("there"),
        'typed: "Why?"',
      ]);
    });

    it("is fast for tags that are never closed", () => {
      expect(splitPastes("<pasted_content>".repeat(50_000))).toHaveLength(1);
    });
  });

  describe("titleOfPrompt", () => {
    it("names a prompt by what was typed, else by what was pasted", () => {
      expect(titleOfPrompt(`${PASTE}\n\n And this?`)).toBe("And this?");
      expect(titleOfPrompt(PASTE)).toBe("line 0\nline 1");
      expect(titleOfPrompt("plain")).toBe("plain");
    });
  });
});

describe("split path", () => {
  test.each([
    ["/home/dev/src/courier", "courier in /home/dev/src"],
    ["~/src/courier/", "courier in ~/src"],
    ["C:\\Users\\dev\\src\\courier", "courier in C:\\Users\\dev\\src"],
    ["/srv", "srv in /"],
    ["courier", "courier in "],
    ["/", "/ in "],
  ])("%s is %s", (path, text) => {
    const { name, folder } = splitPath(path);
    expect(`${name} in ${folder}`).toBe(text);
  });

  test.each([
    ["/home/dev/src", "~/src"],
    ["/home/dev", "~"],
    ["/Users/dev/src", "~/src"],
    ["/root/x", "~/x"],
    ["C:\\Users\\dev\\src", "~\\src"],
    ["/homestead/dev", "/homestead/dev"],
    ["/srv/home/dev", "/srv/home/dev"],
  ])("%s is shown as %s", (path, text) => {
    expect(shortenHome(path)).toBe(text);
  });
});

test("projects with the same name are shown with their folders", () => {
  const paths = ["/home/dev/work/api", "/home/dev/api", "/home/dev/shop", "C:\\src\\api"];
  expect([...projectNames(paths.map((path) => ({ id: path, path }))).values()]).toEqual([
    "api in ~/work",
    "api in ~",
    "shop",
    "api in C:\\src",
  ]);
});

test("controls become their pictures, or their numbers where they have none", () => {
  expect(spellControls("\u001b]0;x\u0007 a\rb\u007f\u009b31m\ttab\nline é\u00a0")).toBe(
    "␛]0;x␇ a␍b␡\\x9b31m\ttab\nline é\u00a0",
  );
});

test("JSON holds no control character and still means the same", () => {
  const value = { "k\u009d": "\u0000\u001b[2J\u007f\u0080\u009f\u00a0é" };
  const text = toPrintableJson(value);
  expect(text).toBe('{"k\\u009d":"\\u0000\\u001b[2J\\u007f\\u0080\\u009f\u00a0é"}');
  expect(JSON.parse(text)).toEqual(value);
  expect(toPrintableJson(undefined)).toBe("null");
});

describe("paths of any system", () => {
  test.each([
    ["/home/dev/shop", "/home/dev/shop/src/cart.ts", "src/cart.ts"],
    ["/home/dev/shop/", "/home/dev/shop/src/cart.ts", "src/cart.ts"],
    ["/home/dev/shop", "/home/dev/shopping/cart.ts", null],
    ["/home/dev/shop", "/home/dev/shop", null],
    ["/", "/etc/hosts", null],
    ["C:\\Users\\dev\\shop", "C:\\Users\\dev\\shop\\src\\cart.ts", "src\\cart.ts"],
    ["C:\\Users\\dev\\shop", "C:/Users/dev/shop/src/cart.ts", "src/cart.ts"],
    ["C:\\Users\\dev\\shop", "c:\\Users\\dev\\shop\\src\\cart.ts", "src\\cart.ts"],
    ["\\\\wsl$\\Ubuntu\\home\\dev", "\\\\wsl$\\Ubuntu\\home\\dev\\cart.ts", "cart.ts"],
    ["/home/dev/a\\b", "/home/dev/a/b/cart.ts", null],
  ])("in %s, %s is %s", (folder, path, below) => {
    expect(pathBelow(folder, path)).toBe(below);
  });

  test("are compared as they were written, except those of Windows, which have several forms", () => {
    const forms = ["C:\\shop\\a.ts", "c:\\shop\\a.ts", "C:/shop/a.ts", "C:\\shop/a.ts"];
    expect(new Set(forms.map(comparablePath))).toEqual(new Set(["C:/shop/a.ts"]));
    for (const path of ["/home/dev/a\\b.ts", "src\\a.ts", "c:a.ts"]) expect(comparablePath(path)).toBe(path);
  });

  test("have a home of Windows shortened with slashes as well", () => {
    expect(shortenHome("C:/Users/dev/shop/a.ts")).toBe("~/shop/a.ts");
    expect(shortenHome("c:\\users\\dev\\a.ts")).toBe("~\\a.ts");
  });
});

test("versions are in the order in which they were released", () => {
  const versions = ["2.1.42", "2.1.205", "", "2.1.204", "1.0.128", "2.0.76"];
  expect(versions.sort(compareVersions)).toEqual(["", "1.0.128", "2.0.76", "2.1.42", "2.1.204", "2.1.205"]);
});
