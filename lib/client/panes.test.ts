import { expect, test } from "vitest";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import { formatPanes, paneOf, parsePanes, withoutPanes, withPane } from "./panes";

test("the address lists panes; what is not known is left out", () => {
  expect(parsePanes("record:m~1k,context:m~2z")).toEqual([
    { kind: "record", id: "m~1k" },
    { kind: "context", id: "m~2z" },
  ]);
  expect(parsePanes("graph:1,context:,:x,record")).toEqual([]);
  expect(parsePanes(null)).toEqual([]);
});

test("panes go back into the address as they came", () => {
  expect(formatPanes(parsePanes("context:m~2z,record:m~1k"))).toBe("context:m~2z,record:m~1k");
  expect(formatPanes([])).toBeNull();
  expect(paneOf("record:m~1k,context:m~2z", "context")).toBe("m~2z" as RecordId);
  expect(paneOf("record:m~1k", "context")).toBeNull();
});

test("agents stand side by side, of the others there is one of each kind", () => {
  const two = withPane("agent:a1,record:m~1k", { kind: "agent", id: "a2" as AgentId });
  expect(two).toBe("agent:a1,record:m~1k,agent:a2");
  expect(withPane(two, { kind: "record", id: "m~3" as RecordId })).toBe("agent:a1,agent:a2,record:m~3");
  expect(withPane("files", { kind: "files", id: "" })).toBe("files");
  expect(withoutPanes(two, (pane) => pane.id === "a1")).toBe("record:m~1k,agent:a2");
  expect(withoutPanes("files", ({ kind }) => kind === "files")).toBeNull();
});
