import { expect, it } from "vitest";
import { readWorkflowScript } from "./workflow-script";

// As 2.1.330 recorded it.
const SCRIPT = `export const meta = { name: 'look-around', description: 'Look at the project twice', phases: [{ title: 'Look' }, { title: 'Check' }] }
phase('Look')
const a = await parallel([() => agent('Explore the code.', { label: 'look:code', phase: 'Look' }), () => agent('Answer quickly.', { label: 'look:quick', phase: 'Look' })])
phase('Check')
const b = await agent('Check slowly.', { label: 'check', phase: 'Check' })`;

it("reads a workflow's plan from its script", () => {
  expect(readWorkflowScript(SCRIPT)).toEqual({
    name: "look-around",
    description: "Look at the project twice",
    phases: ["Look", "Check"],
    agents: [
      { label: "look:code", phase: "Look" },
      { label: "look:quick", phase: "Look" },
      { label: "check", phase: "Check" },
    ],
  });
  expect(readWorkflowScript("")).toEqual({ name: null, description: null, phases: [], agents: [] });
});
