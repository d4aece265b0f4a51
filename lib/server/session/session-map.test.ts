import { expect, it } from "vitest";
import { unpackRecording } from "@/e2e/support/recorded";
import { drawGraph, drawLanes } from "./test-graph";
import { openFolder } from "./test-transcript";

it("prints", async () => {
  for (const version of ["2.1.330", "2.1.110", "2.1.42", "2.1.29", "2.0.76", "2.0.42", "1.0.128"] as const) {
    using recording = unpackRecording(version);
    const folder = await openFolder(recording.claudeDir);
    for (const { id, title, firstPrompt } of folder.catalog.summaries()) {
      const lines = await drawGraph(folder, id);
      if (lines.length < 2 && !/compact|parallel/.test(firstPrompt ?? "")) continue;
      console.log(version, id, title, "|", firstPrompt, "\n" + lines.join("\n"));
      const lanes = await drawLanes(folder, id);
      if (lanes.some((l) => /[^│ ]/.test(l.slice(0, 14)))) console.log(lanes.join("\n"));
    }
  }
  expect(1).toBe(1);
});
