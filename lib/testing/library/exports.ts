/**
 * An exported HTML file taken apart: `shown` is what is read where no scripts run, `data` what its page is drawn from, by the
 * elements' attributes. An element that holds markup is none of the data, and stays in `shown`.
 */
export function exportedParts(html: string): { shown: string; data: Map<string, unknown> } {
  const data = new Map<string, unknown>();
  const element = /<script type="application\/json" ([^<>]*)>([^<]*)<\/script>\n/g;
  const shown = html.replace(element, (_, attributes: string, json: string) => {
    data.set(data.has(attributes) ? `${attributes} ${data.size}` : attributes, JSON.parse(json));
    return "";
  });
  return { shown, data };
}

/** The paths of a zip’s files in their order, as its central directory lists them. Throws where it has none. */
export function namesInZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end === -1) throw new Error("The zip has no end");
  const names: string[] = [];
  const first = Buffer.from("PK\x01\x02", "latin1");
  for (let at = zip.indexOf(first); at !== -1 && at < end; ) {
    const [name, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    names.push(zip.toString("utf8", at + 46, at + 46 + name));
    at = zip.indexOf(first, at + 46 + name + extra + comment);
  }
  return names;
}
