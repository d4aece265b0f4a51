import type { RefObject } from "react";
import { usePresentedView } from "@/components/present/presented-view";
import { formatRowKey } from "@/lib/wire/ids";
import type { ViewStanding } from "@/lib/wire/presence";
import type { FileChanges } from "./changed-files";
import { changeIn, fileIn, filesIn, headPx } from "./changes-place";

/** All changes that a file's element has, and the room that is kept free for some. */
const CHANGES = "[data-change], [data-change-room]";

const keysOf = ({ changes }: FileChanges) =>
  changes.map(({ recordId, block }) => formatRowKey(recordId, block));

/**
 * Presents where the reader of changes is, and takes whoever follows there: by the change that stands below its file's
 * head, since the same changes are higher in a narrower window. Of a file that is folded, or is shown as one diff, by its
 * first change.
 * @returns whether the box is held where another window is
 */
export function usePresentedChanges(
  box: RefObject<HTMLElement | null>,
  files: readonly FileChanges[],
): () => boolean {
  return usePresentedView(box, {
    standing: () => (box.current ? standingIn(box.current, files) : null),
    stand: (standing) => box.current && standAt(box.current, files, standing),
  });
}

function standingIn(scroller: HTMLElement, files: readonly FileChanges[]): ViewStanding | null {
  const { scrollTop } = scroller;
  const element = filesIn(scroller).find((one) => one.offsetTop + one.offsetHeight > scrollTop);
  const file = files[Number(element?.dataset.file)];
  if (!element || !file) return null;
  const edge = scrollTop + headPx(element);
  const change = [...element.querySelectorAll<HTMLElement>(CHANGES)].find(
    ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > edge,
  );
  const key = change?.dataset.change ?? change?.dataset.changeRoom ?? keysOf(file)[0];
  if (key === undefined) return null;
  const above = change ? shareAbove(change, edge) : shareAbove(element, scrollTop);
  return { change: key, line: null, above, showsLine: false };
}

function standAt(
  scroller: HTMLElement,
  files: readonly FileChanges[],
  { change, above }: ViewStanding,
): void {
  if (change === null) return;
  const element = fileIn(
    scroller,
    files.findIndex((file) => keysOf(file).includes(change)),
  );
  if (!element) return;
  const there = changeIn(element, change);
  const top = there
    ? there.offsetTop + there.offsetHeight * above - headPx(element)
    : element.offsetTop + element.offsetHeight * above;
  scroller.scrollTo(0, top);
}

/** Which share of an element is above an edge, from 0 to 1. */
function shareAbove({ offsetTop, offsetHeight }: HTMLElement, edge: number): number {
  return Math.min(1, Math.max(0, (edge - offsetTop) / Math.max(1, offsetHeight)));
}
