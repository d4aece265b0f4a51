import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { flushSync } from "react-dom";

/** The part of the page that it is about: the thread, a list, or what stands over the thread, which makes that inert. */
function mainPart(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>("main, [data-main]")].find(isUncovered) ?? null;
}

function isUncovered(part: HTMLElement): boolean {
  return part.isConnected && !part.closest("[inert]");
}

/** Focuses the part of the page that it is about. */
export function focusMain(): void {
  focusPart(mainPart());
}

function focusPart(part: HTMLElement | null): void {
  if (!part) return;
  if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/**
 * Where what had the focus has gone or is covered, gives it to the row that is selected in the main part of the page, else
 * to that part: a screen reader would begin at the top of the page again.
 */
function keepFocus(partAtHand: () => HTMLElement | null): void {
  const { activeElement, body } = document;
  const isThere =
    activeElement !== null &&
    activeElement !== body &&
    !activeElement.closest("[inert]") &&
    activeElement.checkVisibility({ visibilityProperty: true });
  if (isThere) return;
  const part = partAtHand();
  focusRowOf(part && isUncovered(part) ? part : mainPart());
}

/** Focuses the row that is selected in the main part of the page; where that is out of view, or none is, that part. */
export function focusRow(): void {
  focusRowOf(mainPart());
}

function focusRowOf(part: HTMLElement | null): void {
  const row = part?.querySelector<HTMLElement>('[aria-posinset][tabindex="0"]');
  if (row && isInWindow(row)) row.focus({ preventScroll: true });
  else focusPart(part);
}

function noPart(): null {
  return null;
}

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

/**
 * Keeps the focus in the page when something opens or closes that may take it along: whenever `shown` is another.
 * @param partAtHand the part in which the reader is, where that is not the main one; not while something covers it
 */
export function useKeptFocus(shown: string, partAtHand: () => HTMLElement | null = noPart): void {
  const last = useRef(shown);
  const keep = useEffectEvent(() => keepFocus(partAtHand));
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    keep();
  }, [shown]);
}

/** Shows more of a list by a button behind it that goes then: the focus goes on to the first of what came in its place. */
export function showInPlaceOf(button: HTMLElement, show: () => void): void {
  const last = button.previousElementSibling;
  flushSync(show);
  last?.nextElementSibling?.querySelector<HTMLElement>("a, button, input")?.focus({ preventScroll: true });
}

/**
 * For a row of a list: the `ref` of its link, which takes the focus when `focused` begins to hold. A reader who types into a
 * field, while what they came back to is still being loaded, goes on typing there.
 */
export function useFocusedLink(focused: boolean): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (focused && !(document.activeElement instanceof HTMLInputElement))
      link.current?.focus({ preventScroll: true });
  }, [focused]);
  return link;
}

/** Beside the others it stands in the page's grid. */
function isOver(element: HTMLElement): boolean {
  return getComputedStyle(element).position === "absolute";
}

/** The pane that an element is in, where that covers the page, as on a narrow one; `null` where it stands beside the rest. */
export function paneOver(element: HTMLElement | null): HTMLElement | null {
  const pane = element?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
  return pane && isOver(pane) ? pane : null;
}

/** Gives an element the focus when it comes up over the page, where that is narrow: what had it is below. */
export function useFocusOver(element: RefObject<HTMLElement | null>, shown = true): void {
  useEffect(() => {
    const over = element.current;
    if (!over || !shown || over.contains(document.activeElement)) return;
    if (isOver(over)) over.focus({ preventScroll: true });
  }, [element, shown]);
}
