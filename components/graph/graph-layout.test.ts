import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DrawnLine, graphOf } from "@/lib/testing/graph/graph-lines";
import { type GraphLayout, layOutGraph } from "./graph-layout";
import { continuationsFrom, laneAt, lanesBehind } from "./use-graph";
import { moveInGraph } from "./use-graph-keys";

/** Two agents out over item 1, a third inside the first, and a branch behind item 2. */
const DRAWN: DrawnLine[] = [
  { items: "1 [4] [1] 2 [3]" },
  { items: "1 [5]", parent: 0, leaves: 1, returns: 1, agent: "a", lane: 1 },
  { items: "1 [9]", parent: 0, leaves: 1, returns: 2, agent: "b", lane: 2 },
  { items: "1 [2]", parent: 1, leaves: 6, returns: 6, agent: "c", lane: 3 },
  { items: "2 [7]", parent: 0, leaves: 2, lane: 1 },
];

function spanOf({ lineX0, lineX1, backX }: GraphLayout, line: number): [number, number] {
  const back = backX[line] ?? Number.NaN;
  return [lineX0[line] ?? 0, Math.max(lineX1[line] ?? 0, Number.isNaN(back) ? 0 : back)];
}

/** Every answer that comes back ends on the line of the item that it comes back to, at that item. */
function expectReturnsOnTheirLines({ model, x, width, backX, backLine, lineX0, lineX1 }: GraphLayout): void {
  for (const [line, { leaves, returns }] of model.lines.entries()) {
    if (leaves === -1 || returns === -1) continue;
    const to = model.lineOf[returns] ?? 0;
    expect(backLine[line], `line ${line}`).toBe(to);
    const back = backX[line] ?? Number.NaN;
    expect(back).toBeGreaterThanOrEqual(lineX0[to] ?? 0);
    expect(back).toBeLessThanOrEqual(lineX1[to] ?? 0);
    expect(back).toBeGreaterThanOrEqual(x[returns] ?? 0);
    expect(back).toBeLessThanOrEqual((x[returns] ?? 0) + (width[returns] ?? 0) + 24);
  }
}

describe("a graph", () => {
  it("ends an answer on the line that it returns to, even if that is not the one it left", () => {
    const crossing: DrawnLine[] = [
      { items: "1 [4] [1] 2 [3]" },
      { items: "1 [5]", parent: 0, leaves: 1, returns: 2, agent: "a", lane: 1 },
      // An agent's agent whose answer comes in a notification to the main thread.
      { items: "1 [2]", parent: 1, leaves: 6, returns: 4, agent: "c", lane: 3 },
    ];
    const layout = layOutGraph(graphOf(crossing));
    expectReturnsOnTheirLines(layout);
    expect([...layout.backLine]).toEqual([-1, 0, 0]);
    expectReturnsOnTheirLines(layOutGraph(graphOf(DRAWN)));
  });

  it("lists the continuations at a fork, and at the item right after it", () => {
    const model = graphOf(DRAWN);
    const graph = { model, behind: lanesBehind(model) };
    const told = (item: number) =>
      continuationsFrom(graph, item).map((one) => `${one.line}:${one.item} ${one.lane}`);
    expect(told(2)).toEqual(["4:11 1", "0:3 2"]);
    expect(told(3)).toEqual(told(2));
    expect(told(11)).toEqual(told(2));
    expect(told(0)).toEqual([]);
    expect(told(5)).toEqual([]);
    expect(laneAt(model, graph.behind, 2)).toBe(0);
    expect(laneAt(model, graph.behind, 3)).toBe(2);
  });

  it("has agents above and branches below, nested ones further out", () => {
    const { row } = layOutGraph(graphOf(DRAWN));
    expect([...row]).toEqual([0, -1, -3, -2, 1]);
  });

  it("gives the items that an agent leaves and returns to the room that the agent needs", () => {
    const { x, width, lineX0, lineX1 } = layOutGraph(graphOf(DRAWN));
    expect(lineX0[1]).toBeGreaterThan(x[1] ?? 0);
    expect(lineX1[1]).toBeLessThan((x[1] ?? 0) + (width[1] ?? 0));
    expect(lineX1[2]).toBeLessThan(x[2] ?? 0);
    expect(lineX0[4]).toBeGreaterThan((x[2] ?? 0) + (width[2] ?? 0));
  });

  it("draws the main line in the colour that the branches do not use", () => {
    expect([...lanesBehind(graphOf(DRAWN))].slice(0, 5)).toEqual([0, 0, 2, 2, 2]);
  });

  it("can be navigated along lines, and from line to line", () => {
    const layout = layOutGraph(graphOf(DRAWN));
    expect(moveInGraph(layout, 1, "child")).toBe(2);
    expect(moveInGraph(layout, 0, "parent")).toBe(0);
    expect(moveInGraph(layout, 1, "above")).toBe(5);
    expect(moveInGraph(layout, 5, "parent")).toBe(1);
    expect(moveInGraph(layout, 6, "child")).toBe(1);
    expect(moveInGraph(layout, 6, "above")).toBe(9);
    expect(moveInGraph(layout, 2, "below")).toBe(11);
    expect(moveInGraph(layout, 11, "above")).toBeLessThan(5);
    expect(moveInGraph(layout, 4, "first")).toBe(0);
    expect(moveInGraph(layout, 0, "last")).toBe(4);
  });

  it("never puts one line over another", () => {
    const child = fc.record({
      parent: fc.nat(30),
      leaves: fc.nat(4),
      back: fc.nat(4),
      returns: fc.boolean(),
      agent: fc.boolean(),
      rows: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(child, { maxLength: 30 }), (children) => {
        const drawn: DrawnLine[] = [{ items: "1 [2] [30] 2 [5]" }];
        for (const [index, { parent, leaves, back, returns, agent, rows }] of children.entries()) {
          const up = parent % drawn.length;
          const leave = up * 5 + leaves;
          // A branch of an agent is the agent's; a branch of none, of the main thread.
          const owner = drawn[up]?.agent;
          drawn.push({
            items: `1 [${rows}] [1] 2 [2]`,
            parent: up,
            leaves: leave,
            returns: agent && returns ? Math.min(up * 5 + 4, leave + back) : -1,
            agent: agent ? `a${index}` : owner,
            lane: 1,
          });
        }
        const layout = layOutGraph(graphOf(drawn));
        expectReturnsOnTheirLines(layout);
        for (let a = 0; a < drawn.length; a++) {
          for (let b = a + 1; b < drawn.length; b++) {
            if (layout.row[a] !== layout.row[b]) continue;
            const [a0, a1] = spanOf(layout, a);
            const [b0, b1] = spanOf(layout, b);
            expect(a1 < b0 || b1 < a0, `lines ${a} and ${b}`).toBe(true);
          }
        }
      }),
    );
  });
});
