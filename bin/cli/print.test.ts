import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { inLine, print, printStream, quietConsole, replaceLine } from "./print.mjs";

/** Terminal controls: a title, a C1 sequence, a deletion, a direction override, an overwritten line. */
const HOSTILE = "a\u001b]0;title\u0007b\u009b2Jc\u007fd\u202ee\u2066f\rg\ttab\n";
const SHOWN = "a\\u001b]0;title\\u0007b\\u009b2Jc\\u007fd\\u202ee\\u2066f\\u000dg\ttab\n";

function output(isTTY: boolean) {
  const written: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream,
    bytes: () => Buffer.concat(written),
  };
}

test("a terminal is shown what it would obey, and a file gets it", () => {
  const [terminal, file] = [output(true), output(false)];
  print(HOSTILE, terminal.stream);
  print(HOSTILE, file.stream);
  expect(terminal.bytes().toString()).toBe(SHOWN);
  expect(file.bytes().toString()).toBe(HOSTILE);
});

test("what a log says as a part of a line begins no other one, in a file either", () => {
  expect(inLine("a\nb\r\n\u0085\u2028\u2029\v\f\tc")).toBe(
    "a\\u000ab\\u000d\\u000a\\u0085\\u2028\\u2029\\u000b\\u000c\tc",
  );
});

test("so is a stream, wherever its pieces are cut; to a file it is the same byte for byte", async () => {
  const bytes = Buffer.concat([Buffer.from(`${HOSTILE}漢😀`), Buffer.of(0xff)]);
  for (let cut = 1; cut < bytes.length; cut++) {
    const [terminal, file] = [output(true), output(false)];
    await printStream(Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]), terminal.stream);
    await printStream(Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]), file.stream);
    expect(terminal.bytes().toString()).toBe(`${SHOWN}漢😀\ufffd`);
    expect(file.bytes().equals(bytes)).toBe(true);
  }
});

test("a line that is replaced is no wider than the terminal, where it would go on below and stay", () => {
  const terminal = output(true);
  const narrow = Object.assign(terminal.stream, { columns: 20 });
  replaceLine("░░░░░░░░░░   0 % listing 0 of 0 logs", narrow);
  expect(terminal.bytes().toString()).toBe("\r░░░░░░░░░░   0 % li\x1b[K");
});

test("what is shown of JSON is JSON that means the same", () => {
  const terminal = output(true);
  const value = { text: HOSTILE };
  print(JSON.stringify(value), terminal.stream);
  expect(JSON.parse(terminal.bytes().toString())).toEqual(value);
});

test("a program whose output nobody reads any more goes on, and reports nothing of it", async () => {
  const program = `
    import { outliveReaders, print, quietConsole } from ${JSON.stringify(new URL("print.mjs", import.meta.url))};
    // As Next has it: what nobody caught is reported, and the program stays.
    let uncaught = 0;
    process.on("uncaughtException", (cause) => { uncaught += 1; if (uncaught < 50) console.error(cause); });
    outliveReaders();
    quietConsole();
    let printed = 0;
    process.stdin.once("data", () => {
      const timer = setInterval(() => {
        print("out\\n");
        console.error("err");
        if (++printed < 20) return;
        clearInterval(timer);
        process.exit(Math.min(uncaught, 99));
      }, 5);
    });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" });
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.write("go");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("errors that are logged are printed, too", () => {
  const kept = { ...console };
  const terminal = output(true);
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => terminal.stream.write(text));
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  try {
    const started = quietConsole();
    console.log("dropped");
    console.error(new SyntaxError("at \u001b[2J"));
    started();
    console.log("kept \u009b%s", "x");
  } finally {
    Object.assign(console, kept);
    stderr.mockRestore();
    if (isTTY) Object.defineProperty(process.stderr, "isTTY", isTTY);
    else Reflect.deleteProperty(process.stderr, "isTTY");
  }
  const lines = terminal.bytes().toString();
  expect(lines).toContain("SyntaxError: at \\u001b[2J");
  expect(lines).toContain("kept \\u009bx\n");
  expect(lines).not.toContain("dropped");
});

const EXITS = `
  import { exitWhenPrinted, outliveReaders, print } from ${JSON.stringify(new URL("print.mjs", import.meta.url))};
  outliveReaders();
  print("x".repeat(3_000_000));
  await exitWhenPrinted();
`;

test("a program ends when its reader has come to all that it printed", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", EXITS], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let length = 0;
  for await (const piece of child.stdout) length += piece.length;
  expect(length).toBe(3_000_000);
});

/** Prints a stream, and ends. */
const STREAMS = `
  import { Readable } from "node:stream";
  import { exitWhenPrinted, outliveReaders, printStream } from ${JSON.stringify(new URL("print.mjs", import.meta.url))};
  outliveReaders();
  await printStream(Readable.from([Buffer.from("one"), Buffer.from("two")]));
  await exitWhenPrinted();
`;

test.skipIf(!existsSync("/dev/full"))(
  "a program whose output the disk does not take fails, and says why once",
  async () => {
    const full = openSync("/dev/full", "w");
    for (const program of [EXITS, STREAMS]) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        stdio: ["ignore", full, "pipe"],
      });
      const errors = text(child.stderr as Readable);
      expect(await once(child, "close")).toEqual([1, null]);
      expect(await errors).toBe(
        "backscroll: what is printed cannot be written: ENOSPC: no space left on device, write\n",
      );
    }
    closeSync(full);
  },
);

test("a reader that has left is nobody's fault, on Windows too, where the system says it otherwise", async () => {
  const program = `
    import { exitWhenPrinted, outliveReaders } from ${JSON.stringify(new URL("print.mjs", import.meta.url))};
    outliveReaders();
    process.stdout.emit("error", Object.assign(new Error("EOF: end of file, write"), { code: "EOF" }));
    await exitWhenPrinted();
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = text(child.stderr);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(await errors).toBe("");
});
