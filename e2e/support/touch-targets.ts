import type { Page } from "@playwright/test";

/** A button, link or field that a finger may miss. */
export type SmallTarget = { name: string; width: number; height: number };

/**
 * The buttons, links and fields in the window that are less than 24 px wide or high for a finger and have others within
 * 12 px of their middle (WCAG 2.5.8). What takes a finger beside its box counts as large as that, a field as its label,
 * and a link within a sentence is left out, as is what is covered or cut off. So are a line's number, which is as high as
 * its line, and a chart's bar, which a finger's first tap only names.
 */
export function smallTargetsOf(page: Page): Promise<SmallTarget[]> {
  return page.evaluate(smallTargets);
}

/** Runs in the page. */
function smallTargets(): SmallTarget[] {
  const least = 24;
  const selector =
    "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=checkbox], [role=radio], [role=option], [role^=menuitem], [role=link], [role=slider], [role=switch]";
  /** A field and its label are one. */
  const targetOf = (at: Element | null): Element | null => {
    const one = at?.closest(`${selector}, label`) ?? null;
    return one instanceof HTMLLabelElement ? (one.control ?? null) : one;
  };
  const ofTarget = (target: Element, x: number, y: number) =>
    targetOf(document.elementFromPoint(x, y)) === target;
  const isInSentence = (target: Element) =>
    getComputedStyle(target).display === "inline" &&
    [...(target.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(node.textContent ?? ""),
    );
  /** Part of it has been scrolled out of the window, or of what scrolls around it. */
  const isCutOff = (box: DOMRect, around: Element | null): boolean => {
    const { top, bottom, left, right } = box;
    if (around === null) return false;
    const edge = around.getBoundingClientRect();
    const cuts = getComputedStyle(around).overflowX !== "visible";
    const isBeyond =
      top < edge.top - 1 || bottom > edge.bottom + 1 || left < edge.left - 1 || right > edge.right + 1;
    return (cuts && isBeyond) || isCutOff(box, around.parentElement);
  };
  const small: SmallTarget[] = [];
  for (const target of document.querySelectorAll(selector)) {
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (target.closest("[inert], [aria-hidden=true], [data-bar], [data-takes-shift]") || isInSentence(target))
      continue;
    if (target instanceof HTMLButtonElement && target.disabled) continue;
    const label = target instanceof HTMLInputElement ? target.closest("label") : null;
    const box = target.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (!ofTarget(target, x, y) || isCutOff(box, target.parentElement)) continue;
    const reach = (stepX: number, stepY: number) => {
      let px = 0;
      while (px < least && ofTarget(target, x + stepX * (px + 1), y + stepY * (px + 1))) px += 1;
      return px;
    };
    const width = reach(-1, 0) + 1 + reach(1, 0);
    const height = reach(0, -1) + 1 + reach(0, 1);
    if (Math.min(width, height) >= least) continue;
    const others = Array.from({ length: 24 }, (_, nth) => (nth * Math.PI) / 12).flatMap((angle) =>
      [6, 11.5].map((radius) =>
        targetOf(document.elementFromPoint(x + radius * Math.cos(angle), y + radius * Math.sin(angle))),
      ),
    );
    if (others.every((other) => other === null || other === target)) continue;
    const name =
      target.ariaLabel ||
      (label ?? target).textContent?.trim() ||
      target.getAttribute("title") ||
      target.outerHTML;
    small.push({ name: name.slice(0, 60), width, height });
  }
  return small;
}

/** Runs in the page. How wide and how high a button is for a finger, which is more than it shows where it has room. */
export function touchedSize(button: Element): [width: number, height: number] {
  const { left, top, width, height } = button.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isIts = (atX: number, atY: number) => button.contains(document.elementFromPoint(atX, atY));
  const reach = (stepX: number, stepY: number) => {
    let px = 0;
    while (px < 40 && isIts(x + stepX * (px + 1), y + stepY * (px + 1))) px += 1;
    return px;
  };
  return [reach(-1, 0) + 1 + reach(1, 0), reach(0, -1) + 1 + reach(0, 1)];
}
