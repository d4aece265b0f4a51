import type { Browser } from "@playwright/test";

export type SheetPicture = { title: string; width: number; png: Buffer };

/** Combines screenshots into one image at a small scale: wide ones in rows of four, narrow ones below. */
export async function composeSheet(
  browser: Browser,
  pictures: readonly SheetPicture[],
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2580, height: 400 }, deviceScaleFactor: 1 });
  const figure = ({ title, width, png }: SheetPicture) =>
    `<figure style="margin:0"><img width="${width > 400 ? 496 : 242}" src="data:image/png;base64,${png.toString("base64")}"><figcaption>${title}</figcaption></figure>`;
  await page.setContent(
    `<body style="margin:16px;background:#3a4048;color:#e4e7eb;font:12px/20px system-ui">
      ${[true, false]
        .map(
          (isWide) =>
            `<div style="display:flex;flex-wrap:wrap;gap:12px;margin-bottom:12px">${pictures
              .filter(({ width }) => width > 400 === isWide)
              .map(figure)
              .join("")}</div>`,
        )
        .join("")}`,
  );
  await page.screenshot({ path, fullPage: true });
  await page.close();
}
