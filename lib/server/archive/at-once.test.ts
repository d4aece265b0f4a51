import { expect, test } from "vitest";
import { inGroups, workAtOnce } from "./at-once";

const ITEMS = [1, 2, 3, 4, 5, 6, 7];
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

test("no more are worked on at once than may be, in their order", async () => {
  const begun: number[] = [];
  let busy = 0;
  let most = 0;
  await workAtOnce(
    ITEMS,
    async (item) => {
      begun.push(item);
      most = Math.max(most, ++busy);
      await later();
      busy -= 1;
    },
    3,
  );
  expect(begun).toEqual(ITEMS);
  expect(most).toBe(3);
});

test("those that wait for the others make room, and go on when all have come so far", async () => {
  const said: string[] = [];
  let busy = 0;
  let most = 0;
  await workAtOnce(
    ITEMS,
    async (item, others) => {
      most = Math.max(most, ++busy);
      await later();
      busy -= 1;
      said.push("put");
      // One has nothing to wait for.
      if (item === 4) return;
      await others();
      said.push("swapped");
      await others();
    },
    2,
  );
  expect(most).toBe(2);
  expect(said).toEqual([...ITEMS.map(() => "put"), ...ITEMS.slice(1).map(() => "swapped")]);
});

test("when one fails no further is begun, and those that wait for it go on", async () => {
  const said: string[] = [];
  const working = workAtOnce(
    ITEMS,
    async (item, others) => {
      said.push(`begun ${item}`);
      await later();
      if (item === 3) throw new Error("the disk is full");
      await others();
      said.push(`ended ${item}`);
    },
    1,
  );
  await expect(working).rejects.toThrow("the disk is full");
  expect(said).toEqual(["begun 1", "begun 2", "begun 3", "ended 1", "ended 2"]);
});

test("many short ones are a group, and one that is long", () => {
  const mebibytes = [1, 2, 5, 9, 40, 3, 3];
  expect(inGroups(mebibytes, (one) => one * 1024 * 1024)).toEqual([[1, 2, 5], [9], [40], [3, 3]]);
});
