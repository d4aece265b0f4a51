import { Listeners } from "@/lib/client/listeners";
import { type GraphLayout, ROW_PX } from "./graph-layout";

/** The visible part of the graph: its upper left corner, in graph pixels, and the scale. */
export type Camera = { x: number; y: number; scale: number };

/** The size of the view, in CSS pixels. */
export type Size = { width: number; height: number };

const MAX_SCALE = 2.5;
const MARGIN_PX = 40;
/** The room on the left of the main line for the names of the lines. */
const SIDES_PX = 76;
/** Narrower views have no room for that margin. */
const MIN_SIDES_WIDTH_PX = 640;
/** Keeps lines apart however far the graph is zoomed out. */
const MIN_ROW_SCALE = 0.24;

/** The vertical scale for a horizontal scale. */
export function rowScale(scale: number): number {
  return Math.max(scale, MIN_ROW_SCALE);
}

/** Whether lines are named in the margin on the left. */
export function hasSides({ width }: Size): boolean {
  return width >= MIN_SIDES_WIDTH_PX;
}

function leftMargin(size: Size): number {
  return hasSides(size) ? SIDES_PX : MARGIN_PX;
}

/** The camera that shows the whole graph, at no more than 100 %. */
export function fitCamera(layout: GraphLayout, size: Size): Camera {
  const { top, bottom } = verticalOf(layout);
  const scale = Math.max(
    minScale(layout, size),
    Math.min(1, widthScale(layout, size), size.height / (bottom - top)),
  );
  return clampCamera(
    { x: -leftMargin(size) / scale, y: (top + bottom) / 2 - size.height / 2 / rowScale(scale), scale },
    layout,
    size,
  );
}

/** From this scale on labels can be read. */
const MIN_READ_SCALE = 0.6;
/** The scale at which a graph that is too wide for the view is read. */
const READ_SCALE = 0.8;

/**
 * The camera at first: the whole graph where its labels can be read that way, else a scale at which they can, near a point
 * in graph pixels. A low view is zoomed out as far as that allows, so that no lines are above its upper edge.
 */
export function openingCamera(layout: GraphLayout, size: Size, x: number, y: number): Camera {
  const fitted = fitCamera(layout, size);
  if (fitted.scale >= MIN_READ_SCALE) return fitted;
  const { top, bottom } = verticalOf(layout);
  const scale = Math.min(READ_SCALE, Math.max(MIN_READ_SCALE, size.height / (bottom - top)));
  const near = { ...fitted, scale, y: -size.height / 2 / rowScale(scale) };
  return revealCamera(near, x, y, layout, size);
}

/** Zooms by the factor `by`, keeping the point under the pointer fixed. */
export function zoomCamera(
  camera: Camera,
  by: number,
  at: { x: number; y: number },
  layout: GraphLayout,
  size: Size,
): Camera {
  const scale = Math.min(MAX_SCALE, Math.max(minScale(layout, size), camera.scale * by));
  const x = camera.x + at.x / camera.scale - at.x / scale;
  const y = camera.y + at.y / rowScale(camera.scale) - at.y / rowScale(scale);
  return clampCamera({ x, y, scale }, layout, size);
}

/** Moves the camera by a distance in screen pixels. */
export function panCamera(
  camera: Camera,
  dxPx: number,
  dyPx: number,
  layout: GraphLayout,
  size: Size,
): Camera {
  return clampCamera(
    { ...camera, x: camera.x + dxPx / camera.scale, y: camera.y + dyPx / rowScale(camera.scale) },
    layout,
    size,
  );
}

/** Moves the camera just far enough to show a point with some room around it. */
export function revealCamera(camera: Camera, x: number, y: number, layout: GraphLayout, size: Size): Camera {
  const rows = rowScale(camera.scale);
  const room = {
    x: Math.min(120, size.width / 4) / camera.scale,
    y: Math.min(80, size.height / 4) / rows,
  };
  const right = camera.x + size.width / camera.scale;
  const below = camera.y + size.height / rows;
  const next = { ...camera };
  if (x < camera.x + room.x) next.x = x - room.x;
  else if (x > right - room.x) next.x = x + room.x - size.width / camera.scale;
  if (y < camera.y + room.y) next.y = y - room.y;
  else if (y > below - room.y) next.y = y + room.y - size.height / rows;
  return clampCamera(next, layout, size);
}

/** Keeps part of the graph on screen, and centres vertically what fits whole. */
function clampCamera(camera: Camera, layout: GraphLayout, size: Size): Camera {
  const { top, bottom } = verticalOf(layout);
  const width = size.width / camera.scale;
  const height = size.height / rowScale(camera.scale);
  const left = leftMargin(size) / camera.scale;
  const right = Math.max(-left, layout.widthPx + (MARGIN_PX * 4) / camera.scale - width);
  const x = Math.min(Math.max(camera.x, -left), right);
  if (height >= bottom - top) return { ...camera, x, y: (top + bottom) / 2 - height / 2 };
  return { ...camera, x, y: Math.min(Math.max(camera.y, top), bottom - height) };
}

function minScale(layout: GraphLayout, size: Size): number {
  return Math.min(0.5, widthScale(layout, size));
}

/** The scale at which the graph is as wide as the view. */
function widthScale({ widthPx }: GraphLayout, size: Size): number {
  return (size.width - leftMargin(size) - MARGIN_PX) / Math.max(1, widthPx);
}

function verticalOf({ top, bottom }: GraphLayout): { top: number; bottom: number } {
  return { top: (top - 1) * ROW_PX, bottom: (bottom + 1) * ROW_PX };
}

/** The camera and viewport size. They change on every frame of a drag, so they live outside React's state. */
export class CameraStore {
  readonly #listeners = new Listeners();
  camera: Camera = { x: 0, y: 0, scale: 1 };
  size: Size = { width: 0, height: 0 };

  subscribe = this.#listeners.add;

  set(camera: Camera, size: Size = this.size): void {
    this.camera = camera;
    this.size = size;
    this.#listeners.tell();
  }
}
