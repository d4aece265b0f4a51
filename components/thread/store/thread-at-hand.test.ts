import { expect, it } from "vitest";
import type { ThreadStore } from "@/components/thread/thread-store";
import type { AgentId } from "@/lib/wire/ids";
import { ThreadAtHand } from "./thread-at-hand";

const thread = (name: string) => ({ name }) as unknown as ThreadStore;
const agent = (id: string) => id as AgentId;

it("keys act on the thread that had the focus before, when the pane that had it last is closed", () => {
  const atHand = new ThreadAtHand(thread("main"));
  const now = () => atHand.get() as unknown as { name: string };
  atHand.take(null);
  const closeOuter = atHand.add(agent("outer"), thread("outer"));
  const closeInner = atHand.add(agent("inner"), thread("inner"));
  atHand.take(agent("outer"));
  atHand.take(agent("inner"));
  expect([now().name, atHand.isMain()]).toEqual(["inner", false]);
  closeInner();
  expect([now().name, atHand.isMain()]).toEqual(["outer", false]);
  closeOuter();
  expect([now().name, atHand.isMain()]).toEqual(["main", true]);
});
