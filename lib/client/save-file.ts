/** How long the browser may take to begin with it. */
const KEPT_MS = 10_000;

/**
 * Has the browser save what the page has in its memory, as a download.
 * @param name without a folder; the browser replaces what its system does not take
 * @param type its media type
 */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/**
 * Has the browser download what is at an address, and stay on the page. It is a link's click: a navigation whose answer
 * turns out to be a file has first ended what the page is loading, and its stream (Firefox 153).
 * @param name without a folder; without one the answer says it
 */
export function download(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
