import { formatDuration, formatMoment, formatPlural } from "@/lib/format/format";
import { rowScale } from "./camera";
import { diamond, drawShape, ring, type ScreenPoint } from "./draw-marks";
import {
  drawText,
  fitLabel,
  type GraphScene,
  LABEL_PX,
  LABELS_SCALE,
  lineY,
  screenX,
  textWidth,
} from "./draw-scene";
import { asideOf, ROW_PX } from "./graph-layout";
import type { GraphItem, GraphLine } from "./graph-model";

/** From this scale on there is room for facts below an agent. */
const FACTS_SCALE = 0.8;

/** A line's stroke from its first item to its last, in the colour of the branch it is on. */
export function drawSpine(scene: GraphScene, line: number): void {
  const { ctx, layout, behind, colours, size } = scene;
  const { from = 0, to = 0, lane = 0 } = layout.model.lines[line] ?? {};
  const y = lineY(scene, line);
  let start = layout.lineX0[line] ?? 0;
  let colour = lane;
  const stroke = (end: number) => {
    const x0 = Math.max(-10, screenX(scene, start));
    const x1 = Math.min(size.width + 10, screenX(scene, end));
    if (x1 <= x0) return;
    ctx.fillStyle = colours.lanes[colour === 0 ? 0 : ((colour - 1) % 8) + 1] ?? colours.fg;
    ctx.fillRect(x0, y - 1, x1 - x0, 2);
  };
  for (let item = from; item < to; item++) {
    if ((behind[item] ?? 0) === colour) continue;
    const end = (layout.x[item] ?? 0) + (layout.width[item] ?? 0) + 6;
    stroke(end);
    start = end;
    colour = behind[item] ?? 0;
  }
  stroke(layout.lineX1[line] ?? 0);
}

/** The strokes from the parent line to this one, and back where the answer returns. */
export function drawConnection(scene: GraphScene, line: number): void {
  const { layout, ctx, colours } = scene;
  const { lines } = layout.model;
  const own = lines[line] as GraphLine;
  if (own.leaves === -1) return;
  const parent = layout.model.lineOf[own.leaves] ?? 0;
  const isAgent = own.agent !== null && own.agent !== lines[own.parent]?.agent;
  const y0 = lineY(scene, parent);
  const y1 = lineY(scene, line);
  const s = scene.camera.scale;
  ctx.strokeStyle = colours.lanes[((own.lane - 1) % 8) + 1] ?? colours.fg;
  ctx.lineWidth = s < LABELS_SCALE ? 1 : 1.5;
  const aside = asideOf(layout, line, parent);
  const x = screenX(scene, (layout.lineX0[line] ?? 0) - (isAgent ? aside : 14));
  bend(ctx, { x, y: y0 }, { x: screenX(scene, layout.lineX0[line] ?? 0), y: y1 }, 8 * s);
  const step = (ROW_PX / 2) * rowScale(s) * Math.sign(y0 - y1);
  if (!isAgent) {
    if (s >= 0.35) diamond(scene, { x, y: y0, r: 5 * Math.min(1, s) }, colours.bg, colours["fg-2"]);
    return;
  }
  if (s >= 0.35) drawShape(scene, own.lane, { x, y: y1 + step }, Math.min(1, s));
  const to = layout.backLine[line] ?? -1;
  if (to === -1) return;
  const end = screenX(scene, layout.lineX1[line] ?? 0);
  const back = screenX(scene, layout.backX[line] ?? 0);
  const y2 = lineY(scene, to);
  bend(ctx, { x: back, y: y2 }, { x: end, y: y1 }, 8 * s);
  const up = (ROW_PX / 2) * rowScale(s) * (Math.sign(y2 - y1) || 1);
  if (s >= 0.35) drawShape(scene, own.lane, { x: back, y: y1 + up }, Math.min(1, s));
}

/** A vertical stroke from a point, with a round corner into the horizontal line on which the other one is. */
function bend(ctx: CanvasRenderingContext2D, from: ScreenPoint, to: ScreenPoint, radius: number): void {
  const side = Math.sign(to.x - from.x) || 1;
  const r = Math.min(radius, Math.abs(to.x - from.x), Math.abs(to.y - from.y) / 2);
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.lineTo(from.x, to.y - Math.sign(to.y - from.y) * r);
  ctx.quadraticCurveTo(from.x, to.y, from.x + side * r, to.y);
  ctx.lineTo(to.x, to.y);
  ctx.stroke();
}

/** A line's end and its label: an agent's above its first item, a branch's after its last. @param before where it must end */
export function drawLabel(scene: GraphScene, line: number, before: number, hasAgents: boolean): void {
  const { layout, camera, colours } = scene;
  const { items, lines } = layout.model;
  const own = lines[line] as GraphLine;
  const y = lineY(scene, line);
  const end = screenX(scene, layout.lineX1[line] ?? 0);
  const isAgent = own.agent !== null && own.agent !== lines[own.parent]?.agent;
  if (own.state === "running" && own.returns === -1) ring(scene, { x: end + 10, y, r: 4.2 }, colours.run);
  if (line === 0) return;
  if (!isAgent && camera.scale >= 0.35) drawShape(scene, own.lane, { x: end + 12, y }, 1);
  if (camera.scale < LABELS_SCALE) return;
  const facts = factsOf(items.slice(own.from, own.to), isAgent ? own : null);
  if (isAgent) {
    const x = Math.max(EDGE_PX, screenX(scene, layout.lineX0[line] ?? 0));
    // Its label may extend beyond its end, but not over the next one; an agent that is nearly out of view has none.
    const room = Math.min(Math.max(150, end - x + 30), before - x - 10);
    if (end < EDGE_PX || room < MIN_LABEL_PX) return;
    // The text below ends before the stroke of its answer.
    const back = layout.backLine[line] === -1 ? end + room : screenX(scene, layout.backX[line] ?? 0);
    const under = back - x - 6;
    const whole = own.label || "agent";
    // Its type is left out if the label would cover the strokes of other agents.
    const [brief = whole] = whole.split(" · ");
    const named = (after: string, most: number) =>
      textWidth(scene, join(whole, after)) <= Math.min(most, room)
        ? join(whole, after)
        : fitLabel(scene, brief, after, room);
    const beside = Math.max(end - x + 30, under);
    // Closer to the line if rows are closer, so that the label below one line does not touch that above the next.
    const boxPx = 10 * Math.min(1.4, camera.scale);
    const nearPx = boxPx + (camera.scale < FACTS_SCALE ? 8 : 12);
    // Further from it if text is larger, as far as there is room for two labels between two lines.
    const most = (ROW_PX * rowScale(camera.scale) - LABEL_PX * colours.unit) / 2;
    const dy = Math.max(nearPx, Math.min(boxPx + (LABEL_PX * colours.unit) / 2 + GAP_PX, most));
    const style = { maxPx: room, halo: true };
    // The strokes of its own agents are above it: then its label is below.
    if (hasAgents) {
      drawText(scene, named(took(own), under), x, y + dy, { ...style, colour: colours.fg });
    } else if (camera.scale < FACTS_SCALE) {
      drawText(scene, named(took(own), beside), x, y - dy, { ...style, colour: colours.fg });
    } else {
      drawText(scene, named("", beside), x, y - dy, { ...style, colour: colours.fg });
      const fits = textWidth(scene, facts) < under;
      drawText(scene, fits ? facts : took(own) || facts, x, y + dy, style);
    }
    return;
  }
  const room = Math.min(300, before - end - 34);
  if (room < MIN_LABEL_PX) return;
  const label = own.label === "" ? facts : fitLabel(scene, own.label, facts, room);
  drawText(scene, label, end + 24, y, {
    colour: colours["fg-2"],
    maxPx: room,
    halo: true,
  });
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** Labels of lines that begin to the left of the view are at its edge. */
const EDGE_PX = 6;
const MIN_LABEL_PX = 24;
/** Between a label and the boxes of its line. */
const GAP_PX = 2;

/** For each of these lines where the next one on its row begins, on screen: a label ends before that. */
export function labelEnds(scene: GraphScene, lines: readonly number[]): ReadonlyMap<number, number> {
  const { layout } = scene;
  const start = (line: number) => screenX(scene, layout.lineX0[line] ?? 0);
  const nextOnRow = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const line of [...lines].sort((a, b) => start(b) - start(a))) {
    const row = layout.row[line] ?? 0;
    ends.set(line, nextOnRow.get(row) ?? Number.POSITIVE_INFINITY);
    nextOnRow.set(row, start(line));
  }
  return ends;
}

function took({ tookMs, state }: GraphLine): string {
  return tookMs === null || state === "running" ? "" : formatDuration(tookMs);
}

function factsOf(items: readonly GraphItem[], agent: GraphLine | null): string {
  const sum = (name: "calls" | "rows" | "turns") => items.reduce((total, item) => total + item[name], 0);
  if (agent) return join(sum("calls") > 0 ? formatPlural(sum("calls"), "tool") : "", took(agent));
  const at = items[0]?.atMs;
  // The same number as in the fork's row: a prompt is a row too.
  return [formatPlural(sum("rows") + sum("turns"), "row"), at == null ? "" : formatMoment(at, Date.now())]
    .filter(Boolean)
    .join(" · ");
}
