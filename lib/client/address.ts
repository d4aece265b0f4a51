import { useRouter } from "next/navigation";

let underWay: Promise<unknown> | null = null;

/** Keeps a write to the address in mind until it is done: what is typed quickly is written a moment later. */
export function noteWrite<Write extends Promise<unknown>>(write: Write): Write {
  underWay = write;
  afterWrites(() => {
    if (underWay === write) underWay = null;
  });
  return write;
}

/** Calls `run` at once, or as soon as the address says what it was told to. */
export function afterWrites(run: () => void): void {
  if (underWay)
    underWay.then(
      () => run(),
      () => run(),
    );
  else run();
}

/** Whether the address does not say yet what it was told to. */
export function isWriting(): boolean {
  return underWay !== null;
}

/**
 * Opens a page, behind what is still to be written to the address of this one: a write to an address
 * ends a navigation that is under way.
 */
export function useOpenPage(): (href: string) => void {
  const router = useRouter();
  return (href) => afterWrites(() => router.push(href));
}

let linkOf: (() => string) | null = null;

/**
 * Has links to what is on screen made by the page that knows the reader's place in it.
 * @returns ends it
 */
export function offerViewLink(link: () => string): () => void {
  linkOf = link;
  return () => {
    if (linkOf === link) linkOf = null;
  };
}

/** The address of what is on screen, with the place where the reader is. */
export function hrefOfView(): string {
  return linkOf?.() ?? window.location.href;
}
