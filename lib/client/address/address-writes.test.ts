import { describe, expect, it } from "vitest";
import { afterWrites, isWriting, noteWrite } from "./address-writes";

describe("writes to the address", () => {
  it("lets a page be left at once where nothing is being written", () => {
    const said: string[] = [];
    afterWrites(() => said.push("left"));
    expect(said).toEqual(["left"]);
  });

  it("lets a page be left behind the last write, also where it failed", async () => {
    const said: string[] = [];
    const ends: (() => void)[] = [];
    const write = () => noteWrite(new Promise<void>((done) => ends.push(done)));
    const first = write();
    const second = noteWrite(write().then(() => Promise.reject(new Error("refused"))));
    afterWrites(() => said.push("left"));
    ends[0]?.();
    await first;
    expect([said, isWriting()]).toEqual([[], true]);
    ends[1]?.();
    await second.catch(() => null);
    await Promise.resolve();
    expect([said, isWriting()]).toEqual([["left"], false]);
  });
});
