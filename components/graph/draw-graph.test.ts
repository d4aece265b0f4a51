import { expect, it, vi } from "vitest";
import type { CanvasColours } from "@/components/canvas/canvas-colours";
import { type DrawnLine, graphOf } from "@/lib/testing/graph/graph-lines";
import { openRecording, sessionsOf } from "@/lib/testing/recordings";
import { idOf, openFolder, settled } from "@/lib/testing/transcript";
import { type Camera, fitCamera } from "./camera";
import { drawGraph } from "./draw-graph";
import { layOutGraph, ROW_PX } from "./graph-layout";
import { type GraphModel, readGraph } from "./graph-model";
import { lanesBehind } from "./use-graph";

vi.stubGlobal("Path2D", function Path2D() {});

const CHARACTER_PX = 6;

/** A text on the canvas, where it stands, and how much had been drawn before it. */
type Text = { text: string; left: number; right: number; top: number; bottom: number };
/** An area that was cleared for a label, or the box of an item. */
type Area = { x: number; y: number; width: number; height: number };

/**
 * Draws a graph, and answers the texts that it drew upright, what it cleared for them, and the items' boxes. `unit`: the
 * reader's size of text, as a multiple of the usual one.
 */
function draw(
  model: GraphModel,
  {
    width = 1_150,
    camera,
    prompts = {},
    unit = 1,
  }: { width?: number; camera?: Camera; prompts?: object; unit?: number } = {},
): { texts: Text[]; cleared: Area[]; boxes: Area[] } {
  const texts: Text[] = [];
  const cleared: Area[] = [];
  const boxes: Area[] = [];
  let turned = 0;
  const state: Record<string, unknown> = { font: "", textAlign: "left", fillStyle: "" };
  const methods: Record<string, (...args: never[]) => unknown> = {
    measureText: (text: string) => ({ width: text.length * CHARACTER_PX * unit }),
    save: () => undefined,
    rotate: () => turned++,
    restore: () => (turned = 0),
    fillRect: (x: number, y: number, w: number, height: number) => {
      if (state.fillStyle === "bg") cleared.push({ x, y, width: w, height });
    },
    roundRect: (x: number, y: number, w: number, height: number) => {
      boxes.push({ x, y, width: w, height });
    },
    fillText: (text: string, x: number, y: number) => {
      const wide = text.length * CHARACTER_PX * unit;
      const left = state.textAlign === "center" ? x - wide / 2 : x;
      // `600 11px sans-serif`
      const tall = Number.parseFloat(String(state.font).split(" ")[1] ?? "");
      const [top, bottom] = [y - tall / 2, y + tall / 2];
      if (turned === 0) texts.push({ text, left, right: left + wide, top, bottom });
    },
  };
  const ctx = new Proxy(state, {
    get: (target, name: string) => methods[name] ?? target[name] ?? (() => undefined),
    set: (target, name: string, value) => {
      target[name] = value;
      return true;
    },
  });
  const layout = layOutGraph(model);
  const size = { width, height: 700 };
  const colours = new Proxy(
    { lanes: Array.from({ length: 9 }, (_, lane) => `lane-${lane}`), unit },
    {
      get: (target, name: string) => (name in target ? target[name as keyof typeof target] : name),
    },
  );
  drawGraph(
    {
      ctx: ctx as unknown as CanvasRenderingContext2D,
      layout,
      behind: lanesBehind(model),
      camera: camera ?? fitCamera(layout, size),
      size,
      colours: colours as unknown as CanvasColours,
      selected: 0,
      hovered: null,
    },
    new Map(Object.entries(prompts).map(([turn, prompt]) => [Number(turn), prompt])),
  );
  return { texts, cleared, boxes };
}

/** Texts that touch the edge of a box: neither within it, nor clear of it. */
function onEdges(texts: readonly Text[], boxes: readonly Area[]): string[] {
  return texts.flatMap((text) =>
    boxes
      .filter(({ x, y, width, height }) => {
        const isWithin =
          text.top >= y && text.bottom <= y + height && text.left < x + width && x < text.right;
        const isClear =
          text.right <= x || text.left >= x + width || text.bottom <= y || text.top >= y + height;
        return !isWithin && !isClear;
      })
      .map((box) => `${text.text} on a box ${Math.round(box.width)} wide`),
  );
}

/** Pairs of texts of which one stands on the other. */
function overprinted(texts: readonly Text[]): string[] {
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter(
        (other) =>
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      )
      .map((other) => `${one.text} | ${other.text}`),
  );
}

/** The session with the most tool calls among the samples: nested agents side by side, a branch, a compaction. */
async function sampleGraph(): Promise<GraphModel> {
  const folder = await openFolder("bin/demo/claude");
  const [most] = folder.catalog.summaries().toSorted((a, b) => b.bytes - a.bytes);
  return readGraph(await settled(() => folder.sessions.graph(idOf(folder, most?.id ?? ""))));
}

async function recordedGraph(name: string): Promise<GraphModel> {
  const { folder, scenarios } = await openRecording("2.1.330");
  const uuid = sessionsOf(folder, scenarios[name] ?? { must: "" }).at(-1) ?? "";
  return readGraph(await settled(() => folder.sessions.graph(idOf(folder, uuid))));
}

it.each(["samples", "task-nested", "tui-agents", "tui-rewind", "tui-extra", "workflow"])(
  "no label covers another, or is cut by an edge: %s",
  async (name) => {
    const model = name === "samples" ? await sampleGraph() : await recordedGraph(name);
    const layout = layOutGraph(model);
    let labels = 0;
    for (const width of [350, 1_150])
      for (let scale = 0.6; scale <= 1; scale += 0.02) {
        const fit = fitCamera(layout, { width, height: 700 });
        const far = layout.widthPx - width / scale;
        for (const x of [fit.x, ...(far > 0 ? [far / 2, far] : [])]) {
          const { texts } = draw(model, { width, camera: { ...fit, x, scale } });
          labels += texts.length;
          expect(overprinted(texts), `${width} px, ${scale}, from ${x}`).toEqual([]);
          const cut = texts.filter(({ text, left }) => left < 0 && /rows?$/.test(text));
          expect(cut).toEqual([]);
        }
      }
    expect(labels).toBeGreaterThan(0);
  },
);

it.each(["samples", "task-nested", "tui-agents", "tui-rewind", "tui-extra", "workflow"])(
  "no text touches an edge of a box, whatever the size of text: %s",
  async (name) => {
    const model = name === "samples" ? await sampleGraph() : await recordedGraph(name);
    const size = { width: 1_150, height: 700 };
    const fit = fitCamera(layOutGraph(model), size);
    for (const unit of [1, 1.231])
      for (let scale = 0.6; scale <= 1.2; scale += 0.02) {
        const { texts, boxes } = draw(model, { camera: { ...fit, scale }, unit });
        expect(onEdges(texts, boxes), `${scale}, text ${unit}`).toEqual([]);
      }
  },
);

it("what a low view has moved up passes below the turns' titles", () => {
  const drawn: DrawnLine[] = [{ items: "1 [4] 2 [3]" }, { items: "2 [7]", parent: 0, leaves: 1, lane: 1 }];
  const model = graphOf(drawn);
  const lines = model.lines.map((line, index) => (index === 1 ? { ...line, label: LONG } : line));
  const camera = fitCamera(layOutGraph(model), { width: 1_150, height: 700 });
  const { texts } = draw({ ...model, lines }, { camera: { ...camera, y: ROW_PX }, prompts: { 1: "Start" } });
  const drawnLast = texts.slice(-2).map(({ text }) => text);
  expect(texts.some(({ text, top }) => text.startsWith("Search") && top < 25)).toBe(true);
  expect(drawnLast).toEqual(["1  Start", "2"]);
});

it("a branch's label shows its number of rows, however much of its prompt is cut", () => {
  const drawn: DrawnLine[] = [{ items: "1 [4] 2 [3]" }, { items: "2 [7]", parent: 0, leaves: 1, lane: 1 }];
  const model = graphOf(drawn);
  const lines = model.lines.map((line, index) => (index === 1 ? { ...line, label: LONG } : line));
  const { texts } = draw({ ...model, lines });
  expect(texts.map(({ text }) => text).filter((text) => text.startsWith("Search"))).toEqual([
    expect.stringMatching(/… · 8 rows/),
  ]);
});

const LONG = "Search the whole of the log for other orders that were charged twice on that day";
const AGENT: DrawnLine = { items: "1 [5]", parent: 0, leaves: 1, returns: 2, agent: "a", lane: 1 };

function labelled(label: string): GraphModel {
  const model = graphOf([{ items: "1 [4] [1] 2 [3]" }, AGENT]);
  const lines = model.lines.map((line) => (line.agent ? { ...line, label, tookMs: 7_800 } : line));
  return { ...model, lines };
}

it("an agent's label shows its duration, however much of its name is cut, and never half of its type", () => {
  const at = (label: string, scale: number) => {
    const model = labelled(label);
    const size = { width: 1_150, height: 700 };
    const { texts } = draw(model, { camera: { ...fitCamera(layOutGraph(model), size), scale } });
    return texts.map(({ text }) => text).filter((text) => /Search|7\.8 s/.test(text));
  };
  expect(at(LONG, 0.64)).toEqual([expect.stringMatching(/^Search the wh.*… · 7\.8 s$/)]);
  expect(at("Search it · general-purpose", 0.64)).toEqual(["Search it · 7.8 s"]);
  expect(at("Search it · general-purpose", 1)).toEqual(["Search it", expect.stringMatching(/7\.8 s$/)]);
});

it("a wide view names the lines beside them, on cleared ground, and a narrow one keeps its room", () => {
  const { texts, cleared } = draw(labelled("Look"));
  const sides = texts.filter(({ text }) => text === "Main" || text === "Agents");
  expect(sides.map(({ text }) => text)).toEqual(["Main", "Agents"]);
  const first = texts.find(({ text, top }) => text === "1" && top > 100);
  expect(first?.top).toBeCloseTo(sides[0]?.top ?? 0, -1);
  for (const { left, right, top, bottom } of sides) {
    expect(right).toBeLessThan(first?.left ?? 0);
    const ground = cleared.find(
      ({ x, y, width, height }) => x <= left && x + width >= right && y <= top && y + height >= bottom,
    );
    expect(ground).toBeDefined();
  }
  expect(draw(labelled("Look"), { width: 390 }).texts.map(({ text }) => text)).not.toContain("Main");
});

it("a turn that began to the left of the view is named at its edge", () => {
  const model = graphOf([{ items: "1 [30] [30] [30] 2 [3]" }]);
  const prompts = { 1: "Fix the retry", 2: "Then the clock" };
  const heads = (x: number) =>
    draw(model, { width: 600, camera: { x, y: -350, scale: 1 }, prompts }).texts.filter(
      ({ top }) => top < 20,
    );
  expect(heads(100).map(({ text }) => text)).toEqual(["1  Fix the retry", "2  Then the clock"]);
  expect(heads(100)[0]?.left).toBe(5);
  expect(heads(-40).map(({ text }) => text)).toEqual(["1  Fix the retry", "2  Then the clock"]);
  expect(heads(-40)[0]?.left).toBe(45);
});
