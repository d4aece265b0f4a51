/** How long the browser may take to begin with it. */
const KEPT_MS = 10_000;

/**
 * Has the browser save what the page has in its memory, as a download.
 * @param name without a folder; the browser replaces what its system does not take
 * @param type its media type
 */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
