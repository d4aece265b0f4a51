import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { makeTree, prompt } from "@/lib/testing/log-tree";
import { isUnder, openConfined, openConfinedSync } from "./confined-file";
import { readRange } from "./read-range";

const reason = (error: unknown) => (isViewerError(error) ? error.code : String(error));

async function tryOpen(root: string, path: string): Promise<string> {
  expect(tryOpenSync(root, path)).toBe(await tryOpenAsync(root, path));
  return tryOpenSync(root, path);
}

async function tryOpenAsync(root: string, path: string): Promise<string> {
  try {
    const handle = await openConfined(root, path);
    await handle.close();
    return "opened";
  } catch (error) {
    return reason(error);
  }
}

function tryOpenSync(root: string, path: string): string {
  try {
    openConfinedSync(root, path).close();
    return "opened";
  } catch (error) {
    return reason(error);
  }
}

describe("openConfined", () => {
  it("opens regular files under the root, and nothing else", async () => {
    const outside = makeTree({ "secret.jsonl": [prompt("s")] });
    const root = makeTree({ "a/log.jsonl": [prompt("p")] });
    symlinkSync(join(outside, "secret.jsonl"), join(root, "a/out.jsonl"));
    symlinkSync(outside, join(root, "b"));
    symlinkSync(join(root, "a/log.jsonl"), join(root, "a/in.jsonl"));
    mkdirSync(join(root, "folder.jsonl"));
    expect(await tryOpen(root, join(root, "a/log.jsonl"))).toBe("opened");
    expect(await tryOpen(root, join(root, "a/in.jsonl"))).toBe("opened");
    expect(await tryOpen(root, join(root, "a/out.jsonl"))).toBe("outside-root");
    expect(await tryOpen(root, join(root, "b/secret.jsonl"))).toBe("outside-root");
    expect(await tryOpen(root, join(root, "../", outside.split("/").at(-1) ?? "", "secret.jsonl"))).toBe(
      "outside-root",
    );
    expect(await tryOpen(root, join(root, "folder.jsonl"))).toBe("not-a-file");
    expect(await tryOpen(root, join(root, "gone.jsonl"))).toBe("file-gone");
  });

  it.runIf(process.platform !== "win32")("does not hang on a FIFO", async () => {
    const root = makeTree({});
    execFileSync("mkfifo", [join(root, "pipe.jsonl")]);
    expect(await tryOpen(root, join(root, "pipe.jsonl"))).toBe("not-a-file");
  });

  it.runIf(process.platform === "linux")(
    "never opens the target of a link swapped in while it looks",
    async () => {
      const outside = makeTree({ "secret.jsonl": ["secret"] });
      const root = makeTree({ "log.jsonl": ["mine"], "spare.jsonl": ["mine"] });
      const path = join(root, "log.jsonl");
      const read: string[] = [];
      for (let turn = 0; turn < 300; turn += 1) {
        const opening = openConfined(root, path).then(
          async (handle) => {
            read.push(Buffer.from(await readRange(handle, 0, 100)).toString());
            await handle.close();
          },
          () => undefined, // refused: as good
        );
        rmSync(path);
        if (turn % 2 === 0) symlinkSync(join(outside, "secret.jsonl"), path);
        else linkSync(join(root, "spare.jsonl"), path);
        await opening;
      }
      // On a busy machine every turn may be lost to the race; what is read is ours all the same.
      expect(read.filter((text) => text !== "mine\n")).toEqual([]);
    },
  );

  it("does not treat a sibling whose name begins with the root's as a child", () => {
    expect(isUnder("/logs/a", "/logs/ab/x")).toBe(false);
    expect(isUnder("/logs/a", "/logs/a")).toBe(true);
    expect(isUnder("/", "/etc/passwd")).toBe(true);
  });
});
