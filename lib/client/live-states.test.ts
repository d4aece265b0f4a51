import { expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveState } from "@/lib/wire/live";
import { followLiveState, setLiveState, withLiveState } from "./live-states";

const ID = "11fe0000-0000-4000-8000-000000000000" as SessionId;
const OLD = { title: "The shop", state: "unknown", sinceMs: null } as const;

function tell(state: LiveState["state"], sinceMs: number, sessionId = ID): void {
  setLiveState({
    sessionId,
    state,
    sinceMs,
    doing: null,
    pid: null,
    gone: false,
    checked: false,
    lastLineAtMs: null,
    lastText: null,
    contextTokens: null,
    contextLimit: null,
  });
}

it("believes the stream where it spoke while an answer was on its way, and the answer otherwise", async () => {
  tell("idle", 1);
  expect(await withLiveState(ID, async () => OLD)).toEqual(OLD);
  let answer: (detail: typeof OLD) => void = () => undefined;
  const asked = withLiveState(ID, () => new Promise<typeof OLD>((resolve) => (answer = resolve)));
  tell("running", 5);
  answer(OLD);
  expect(await asked).toEqual({ title: "The shop", state: "running", sinceMs: 5 });
});

it("tells who follows a session what is known of it and each change, of no other session, and nothing once they left", () => {
  tell("idle", 1);
  const told: string[] = [];
  const leave = followLiveState(ID, ({ state, sinceMs }) => told.push(`${state} ${sinceMs}`));
  tell("running", 5);
  tell("waiting", 6, "22fe0000-0000-4000-8000-000000000000" as SessionId);
  tell("waiting", 7);
  leave();
  tell("idle", 8);
  expect(told).toEqual(["idle 1", "running 5", "waiting 7"]);
});
