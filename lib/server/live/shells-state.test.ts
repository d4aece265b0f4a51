import { describe, expect, it } from "vitest";
import {
  answerLine,
  answerText,
  BASH_CALL,
  BASH_RESULT,
  doesSince,
  LOOKED_AT_MS,
  registryEntry,
  standOf,
  userLine,
} from "@/lib/testing/live/live-stand";
import type { ClientShell } from "./told/client-shells";

describe("what the shells of its client tell", () => {
  const busy = registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 5_000 });
  const begun = [userLine(5, "test it"), answerLine(2, [BASH_CALL])];
  const shell = (secondsAgo: number, more: Partial<ClientShell> = {}): ClientShell => {
    const seenAtMs = LOOKED_AT_MS - secondsAgo * 1000;
    return { command: "npm test", seenAtMs, afterMs: seenAtMs - 25, endedAtMs: null, ...more };
  };
  const shells = (...of: ClientShell[]) => ({ entry: busy, lives: true, shells: of });

  it("is that it thinks again, though the call's result is not in the log yet (2.1.332: for 100–340 ms)", () => {
    expect(standOf(begun, shells(shell(1.9)))).toBe("running, tool Bash npm test");
    const ended = shells(shell(1.9, { endedAtMs: LOOKED_AT_MS - 100 }));
    expect(standOf(begun, ended)).toBe("running, thinking");
    expect(doesSince(begun, ended)).toBe("thinking for 0.1 s");
    // Without a status (`-p`), too.
    const print = registryEntry({ entrypoint: "sdk-cli" });
    expect(standOf(begun, { ...ended, entry: print })).toBe("running, thinking");
  });

  it("is nothing of a call whose command is another, or that came later", () => {
    const runs = "running, tool Bash npm test";
    expect(standOf(begun, shells(shell(1.9, { command: "npm run x", endedAtMs: LOOKED_AT_MS })))).toBe(runs);
    expect(standOf(begun, shells(shell(2.1, { endedAtMs: LOOKED_AT_MS })))).toBe(runs);
    expect(standOf(begun, shells(shell(1.9, { command: "", endedAtMs: LOOKED_AT_MS })))).toBe(runs);
  });

  it("is which of several calls still run, also where two run the same", () => {
    const other = { ...BASH_CALL, id: "toolu_2" };
    const look = { ...BASH_CALL, id: "toolu_3", input: { command: "npm run lint" } };
    const lint = shell(1.9, { command: "npm run lint" });
    const ended = { endedAtMs: LOOKED_AT_MS - 50 };
    const both = [userLine(5, "test it"), answerLine(2, [BASH_CALL, look])];
    expect(standOf(both, shells(shell(1.9), { ...lint, ...ended }))).toBe("running, tool Bash npm test");
    expect(standOf(both, shells(shell(1.9, ended), { ...lint, ...ended }))).toBe("running, thinking");
    const twice = [userLine(5, "test it"), answerLine(2, [BASH_CALL, other])];
    expect(standOf(twice, shells(shell(1.9, ended), shell(1.8)))).toBe("running, tool Bash npm test");
    expect(standOf(twice, shells(shell(1.9, ended)))).toBe("running, tool Bash npm test");
  });

  it("is a command that the log does not tell of yet, but none in the background and none of an agent", () => {
    const asked = [userLine(5, "test it")];
    expect(standOf(asked, shells(shell(0.2)))).toBe("running, tool Bash npm test");
    expect(doesSince(asked, shells(shell(0.2)))).toBe("tool for 0.2 s");
    const thinks = "running, thinking";
    // Its line did not come, it is over, or it may have begun before the log's last line.
    expect(standOf(asked, shells(shell(1.6)))).toBe(thinks);
    expect(standOf(asked, shells(shell(0.2, { endedAtMs: LOOKED_AT_MS })))).toBe(thinks);
    expect(standOf(asked, shells(shell(0.2, { afterMs: null })))).toBe(thinks);
    expect(standOf(asked, shells(shell(0.2, { afterMs: LOOKED_AT_MS - 5_000 })))).toBe(thinks);
    expect(standOf([...begun, userLine(1, [BASH_RESULT])], shells(shell(1.2)))).toBe(thinks);
    const launched = {
      ...userLine(1, [BASH_RESULT]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    expect(standOf([...begun, launched], shells(shell(0.2)))).not.toContain("Bash");
    expect(standOf(asked, { ...shells(shell(0.2)), agentsAgo: 3 })).toBe(thinks);
    expect(standOf(asked, { ...shells(shell(0.2)), agentsAgo: 6 })).toBe("running, tool Bash npm test");
  });

  it("is that a command is over which a person has typed, before the log has it", () => {
    const done = [userLine(60, "test it"), answerLine(50, [answerText("Done")], "end_turn")];
    const typed = { typedAgo: 3, shell: "npm test" };
    expect(standOf(done, { ...typed, ...shells(shell(2.9)) })).toBe("running, tool Shell npm test");
    const over = { endedAtMs: LOOKED_AT_MS - 100 };
    expect(standOf(done, { ...typed, ...shells(shell(2.9, over)) })).toBe("running, thinking");
    // Another, and one of before.
    for (const one of [shell(2.9, { ...over, command: "ls" }), shell(3.1, over)])
      expect(standOf(done, { ...typed, ...shells(one) })).toBe("running, tool Shell npm test");
  });

  it("is that nobody is asked, where no registry says so (2.1.110)", () => {
    const silent = { entry: registryEntry({}), lives: true };
    expect(standOf(begun, silent)).toBe("running, tool Bash npm test, or asks");
    expect(standOf(begun, { ...silent, shells: [shell(1.9)] })).toBe("running, tool Bash npm test");
  });

  it("is that it was answered, before its registry says so (2.1.170)", () => {
    const statusUpdatedAt = LOOKED_AT_MS - 1_000;
    const asks = registryEntry({ status: "waiting", waitingFor: "permission prompt", statusUpdatedAt });
    const standing = (of: object[], ...shells: ClientShell[]) =>
      standOf(of, { entry: asks, lives: true, shells });
    const waits = "waiting, permission Bash npm test";
    expect(standing(begun)).toBe(waits);
    expect(standing(begun, shell(0.1))).toBe("running, tool Bash npm test");
    // Another call is asked about, or an agent's, or it ran when the client began to ask; and the registry has the last word.
    const other = { ...BASH_CALL, id: "toolu_2", input: { command: "npm start" } };
    expect(standing([userLine(5, "test it"), answerLine(2, [BASH_CALL, other])], shell(0.1))).toMatch(
      /^waiting/,
    );
    const launched = {
      ...userLine(3, [BASH_RESULT]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    expect(standing([userLine(5, "test it"), launched, answerLine(2, [BASH_CALL])], shell(0.1))).toMatch(
      /^waiting/,
    );
    expect(standOf(begun, { entry: asks, lives: true, shells: [shell(0.1)], agentsAgo: 1 })).toBe(waits);
    expect(standing(begun, shell(0.5, { afterMs: LOOKED_AT_MS - 1_100 }))).toBe(waits);
    expect(standing(begun, shell(0.5, { afterMs: null }))).toBe(waits);
    const earlier = { ...asks, statusSinceMs: LOOKED_AT_MS - 1_800 };
    expect(standOf(begun, { entry: earlier, lives: true, shells: [shell(1.6)] })).toBe(waits);
  });

  it("is nothing where it waits, has ended, or is another's", () => {
    const waiting = registryEntry({
      status: "waiting",
      waitingFor: "permission prompt",
      statusUpdatedAt: LOOKED_AT_MS,
    });
    const news = [shell(0.2, { command: "npm start" })];
    expect(standOf([userLine(5, "test it")], { entry: waiting, lives: true, shells: news })).not.toContain(
      "tool",
    );
    expect(standOf(begun, { ...shells(shell(1.9, { endedAtMs: LOOKED_AT_MS })), lives: false })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
  });
});
