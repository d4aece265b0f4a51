import { expect, type Page } from "@playwright/test";
import { parseRecordId, type RecordId } from "@/lib/wire/ids";

/** Where a reader looks: a record, and how far below the thread's upper edge its row begins. */
export type Eye = { recordId: string; y: number };

type SeenRow = {
  recordId: string;
  index: number;
  kind: string;
  top: number;
  bottom: number;
  selected: boolean;
};
type Seen = { rows: SeenRow[]; heightPx: number; total: number; isAtTop: boolean; isAtEnd: boolean };

/** The header of the turn covers so much at the top. */
const HEADER_PX = 44;
/** Within a row: one that is closed is half as high. */
const MAX_OFF_PX = 48;

/** What is drawn of the thread when it has come to rest: nothing has moved for some frames. */
export async function seen(page: Page): Promise<Seen> {
  return page.evaluate(async () => {
    const look = () => {
      const main = document.querySelector<HTMLElement>('main[aria-label="Thread"]');
      if (!main || main.querySelector('article[aria-busy="true"]')) return null;
      const { top, height } = main.getBoundingClientRect();
      const rows = [...main.querySelectorAll<HTMLElement>("article[data-record-id]")].map((row) => {
        const box = row.getBoundingClientRect();
        return {
          recordId: row.dataset.recordId ?? "",
          index: Number(row.dataset.index),
          kind: row.querySelector('[aria-label="Previous branch"]') ? "fork" : "row",
          top: Math.round(box.top - top),
          bottom: Math.round(box.bottom - top),
          selected: row.tabIndex === 0,
        };
      });
      return {
        rows: rows.sort((a, b) => a.index - b.index),
        heightPx: height,
        total: Number(main.querySelector("article")?.getAttribute("aria-setsize") ?? 0),
        isAtTop: main.scrollTop <= 1,
        isAtEnd: main.scrollTop >= main.scrollHeight - main.clientHeight - 2,
      };
    };
    const frame = () => new Promise(requestAnimationFrame);
    let last = "";
    for (let same = 0; same < 6; ) {
      await frame();
      const now = JSON.stringify(look());
      same = now === last && now !== "null" ? same + 1 : 0;
      last = now;
    }
    return JSON.parse(last);
  });
}

/** The row that is looked at: the selected one while it is in view, else the first below the header. */
export function eyeOf({ rows, heightPx }: Seen): Eye {
  const inView = rows.filter(({ top, bottom }) => bottom > 0 && top < heightPx);
  const row = inView.find(({ selected }) => selected) ?? inView.find(({ bottom }) => bottom > HEADER_PX);
  if (!row) throw new Error("no row is in view");
  return { recordId: row.recordId, y: row.top };
}

/** The record is where it was, or where it is hidden the row before it; at either end of the list it is in view. */
export async function expectEye(page: Page, eye: Eye, after: string): Promise<void> {
  const now = await seen(page);
  const { rows, heightPx, isAtTop, isAtEnd } = now;
  const place = parseRecordId(eye.recordId as RecordId).offset;
  const own = rows.filter(({ kind }) => kind !== "fork");
  const row = own.findLast(({ recordId }) => parseRecordId(recordId as RecordId).offset <= place);
  const told = `${after}: looked at ${JSON.stringify(eye)}, now ${JSON.stringify(eyeOf(now))}`;
  expect(row, told).toBeDefined();
  if (!row) return;
  const isHidden = row.recordId !== eye.recordId;
  const y = isHidden ? Math.max(0, eye.y) : eye.y;
  // A record may have several rows, a fork's among them. One that the header would cover whole may be put below it.
  const isThere = rows.some(({ recordId, top, bottom }) => {
    if (recordId !== row.recordId) return false;
    const isCovered = y + bottom - top <= HEADER_PX;
    return [y, ...(isCovered ? [HEADER_PX] : [])].some((px) => Math.abs(top - px) <= MAX_OFF_PX);
  });
  const isInView = row.bottom > 0 && row.top < heightPx;
  expect(isThere || ((isAtTop || isAtEnd) && isInView), `${told}, its row ${JSON.stringify(row)}`).toBe(true);
}

/** Waits until another list of rows stands in the place of the one that is on screen when `change` begins. */
export async function replaced(page: Page, change: () => Promise<unknown>): Promise<void> {
  const main = 'main[aria-label="Thread"]';
  await page.evaluate((of) => document.querySelector(of)?.setAttribute("data-before", ""), main);
  await change();
  await expect(page.locator(`${main}:not([data-before])`)).toHaveCount(1);
}
