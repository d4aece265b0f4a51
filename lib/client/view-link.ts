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
