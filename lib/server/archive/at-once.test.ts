import { expect, test } from "vitest";
import { inGroups, workAtOnce } from "./at-once";

const ITEMS = [1, 2, 3, 4, 5, 6, 7];
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

test("items are processed in order, with a maximum number at once", async () => {
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

test("items that wait for the others make room, and continue when all have reached that point", async () => {
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

test("when one fails no further is begun, and those that wait for it continue", async () => {
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

test("a group has many short items or a single long one", () => {
  const mebibytes = [1, 2, 5, 9, 40, 3, 3];
  expect(inGroups(mebibytes, (one) => one * 1024 * 1024)).toEqual([[1, 2, 5], [9], [40], [3, 3]]);
});
