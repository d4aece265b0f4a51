import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeServer, many, nameOf, opened } from "@/lib/testing/fake-thread";
import { formatRecordId, type RecordId } from "@/lib/wire/ids";
import type { ThreadStanding } from "@/lib/wire/presence";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => setTimeout(then, 16));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets all that is due within a second happen. */
const pass = () => vi.advanceTimersByTimeAsync(1_000);

/** Two windows with the same thread. */
async function two(count: number, theirs = new FakeServer({ tools: many(count) })) {
  const leader = await opened(new FakeServer({ tools: many(count) }));
  return { leader, follower: await opened(theirs), theirs };
}

const standing = (change: Partial<ThreadStanding>): ThreadStanding => ({
  ...{ at: null, above: 0, atEnd: false, open: [], selected: null, showsSelected: false },
  ...change,
});

it("is told by the row at the upper edge and the share of it that is above", async () => {
  const { leader } = await two(60);
  leader.list.first = 7;
  leader.list.abovePx = 6;
  leader.store.toggleOpen("m~8.0");
  expect(leader.store.standing()).toEqual(
    standing({ at: { key: "m~7.0", recordId: "m~7" as RecordId, block: 0 }, above: 0.25, open: ["m~8.0"] }),
  );
});

it("is taken over in another window, with what is open and selected, and without the focus", async () => {
  const { leader, follower } = await two(60);
  follower.store.toggleOpen("m~1.0");
  leader.store.selectIndex(9);
  leader.store.toggleOpen("m~8.0");
  leader.list.first = 7;
  leader.list.abovePx = 12;
  follower.store.standAs(leader.store.standing());
  expect([follower.list.first, follower.list.abovePx]).toEqual([7, 12]);
  expect([...follower.store.get().open]).toEqual(["m~8.0"]);
  expect(nameOf(follower.store.selected()?.row)).toBe("tool 9");
  expect(follower.list.focused).toBe(0);
  follower.store.standAs(standing({ at: leader.store.standing().at, atEnd: true }));
  expect(follower.list.first).toBe(50);
  expect(follower.store.selected()).toBeNull();
});

it("is at the end also where the list still goes to the place that it had", async () => {
  const { follower } = await two(60);
  const at = { key: "m~59.0", recordId: "m~59" as RecordId, block: 0 };
  follower.store.standAs(standing({ at, atEnd: true }));
  follower.list.first = 5;
  await vi.waitFor(() => expect(follower.list.first).toBe(50));
});

it("is taken over when a list comes on screen, where another view had its place when it was told", async () => {
  const { follower } = await two(60);
  const handle = follower.store.list.current;
  follower.store.list.current = null;
  follower.store.standAs(
    standing({ at: { key: "m~5.0", recordId: "m~5" as RecordId, block: 0 }, atEnd: true }),
  );
  follower.store.list.current = handle;
  expect(follower.list.first).toBe(0);
  follower.store.rested();
  expect(follower.list.first).toBe(50);
  // Whoever goes their own way stays where they are when they come back from another view.
  follower.store.standAs(null);
  follower.list.first = 20;
  follower.store.rested();
  expect(follower.list.first).toBe(20);
});

it("asks for what is far away once, and then is where the other one is by that time", async () => {
  const { leader, follower, theirs } = await two(2_000);
  let open: () => void = () => undefined;
  theirs.gate = new Promise((resolve) => (open = resolve));
  const at = (line: number) => {
    const recordId = formatRecordId("m", line);
    return standing({ at: { key: `${recordId}.0`, recordId, block: 0 }, above: 0.5 });
  };
  theirs.asked.length = 0;
  follower.store.standAs(at(1_500));
  follower.store.standAs(at(1_510));
  follower.store.standAs(at(1_512));
  expect(theirs.asked).toEqual([`around m~${(1_500).toString(36)}`]);
  open();
  await vi.waitFor(() => expect([follower.list.first, follower.list.abovePx]).toEqual([1_512, 12]));
  expect(leader.list.first).toBe(0);
});

it("stays where it is for a record that is not there yet, and no longer follows when it is told so", async () => {
  const { follower } = await two(60);
  const ahead = standing({ at: { key: "m~zzz.0", recordId: "m~zzz" as RecordId, block: 0 } });
  follower.store.standAs(ahead);
  follower.store.standAs(null);
  follower.list.first = 20;
  follower.store.standAs(standing({ at: { key: "m~5.0", recordId: "m~5" as RecordId, block: 0 } }));
  expect(follower.list.first).toBe(5);
  follower.store.standAs(null);
  follower.list.first = 20;
  await pass();
  expect(follower.list.first).toBe(20);
});

it("is where the other one is as soon as the record is there, as in a guest's copy, which is behind", async () => {
  const { follower, theirs } = await two(60);
  const recordId = formatRecordId("m", 70);
  const key = `${recordId}.0`;
  follower.store.standAs(standing({ at: { key, recordId, block: 0 }, selected: key }));
  await pass();
  theirs.views = { tools: many(90) };
  theirs.revision = 2;
  follower.store.shown()?.windows.renew();
  await vi.waitFor(() => expect(follower.store.shown()?.windows.getSnapshot().total).toBe(90));
  follower.list.draw();
  await vi.waitFor(() => expect(follower.list.first).toBe(70));
  expect(nameOf(follower.store.selected()?.row)).toBe("tool 70");
  // Once: who reads on from there is not taken back with each row that comes.
  await pass();
  const asked = theirs.asked.length;
  follower.list.draw();
  expect(theirs.asked).toHaveLength(asked);
});

const lineAt = (line: number) => {
  const recordId = formatRecordId("m", line);
  return { key: `${recordId}.0`, recordId, block: 0 };
};

it("shows the row that the other reader has selected and sees, also in a smaller window", async () => {
  const { leader, follower } = await two(60);
  leader.list.draw();
  leader.store.selectIndex(8);
  expect(leader.store.standing()).toMatchObject({ selected: "m~8.0", showsSelected: true });
  const { key: selected } = lineAt(19);
  const there = standing({ at: lineAt(7), selected, showsSelected: true });
  follower.store.standAs(there);
  expect([follower.list.first, follower.list.abovePx]).toEqual([10, 0]);
  // Not where it has gone out of the other reader's view.
  follower.store.standAs({ ...there, showsSelected: false });
  expect(follower.list.first).toBe(7);
  // At the end too, below the turn's header.
  follower.store.standAs({ ...there, selected: lineAt(45).key, atEnd: true });
  await vi.waitFor(() => expect(follower.list.first).toBe(43));
});

it("begins at the beginning of a thread that the other reader sees whole, and goes on with what is written", async () => {
  const { follower, theirs } = await two(30);
  const whole = standing({ at: lineAt(0), atEnd: true });
  follower.list.first = 12;
  follower.store.standAs(whole);
  await pass();
  expect(follower.list.first).toBe(0);
  theirs.views = { tools: many(31) };
  theirs.revision = 2;
  follower.store.shown()?.windows.renew();
  await vi.waitFor(() => expect(follower.store.shown()?.windows.getSnapshot().total).toBe(31));
  follower.list.draw();
  await pass();
  expect(follower.list.first).toBe(21);
  // Whoever follows anew begins as whoever comes late.
  follower.store.standAs(null);
  follower.store.standAs(whole);
  expect(follower.list.first).toBe(0);
});
