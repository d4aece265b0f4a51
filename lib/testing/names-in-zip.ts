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
