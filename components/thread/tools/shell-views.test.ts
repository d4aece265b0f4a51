import { describe, expect, it } from "vitest";
import { stoppedTask } from "./shell-views";

describe("stopped task", () => {
  it("tells a stopped task's command from its description", () => {
    const shell = { message: "Successfully killed shell: 382dc1 (sleep 60 && (date))", shell_id: "382dc1" };
    expect(stoppedTask(shell)).toEqual({ text: "sleep 60 && (date)", isCommand: true });
    const described = {
      message: "Successfully stopped task: b4098a0 (A long sleep in the background)",
      task_id: "b4098a0",
      task_type: "local_bash",
    };
    expect(stoppedTask(described)).toEqual({ text: "A long sleep in the background", isCommand: false });
    const message = "Successfully stopped task: b01e1eb (sleep 60)";
    expect(stoppedTask({ message, command: "sleep 60" })).toEqual({ text: "sleep 60", isCommand: true });
    expect([stoppedTask({ message: "Stopped" }), stoppedTask(null)]).toEqual([null, null]);
  });
});
