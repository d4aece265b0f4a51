import type { Mark } from "@/components/content/code/line-pieces";

/** What a file's name owes to the fixed parts of a glob pattern's last piece: `lock` of `*lock*.ts`. */
export function globMarks(pattern: string, name: string): Mark[] {
  const last = pattern.split("/").at(-1) ?? "";
  if (!/[*?]/.test(last)) return [];
  const parts = last.split(/[*?]+|\{[^}]*\}|\[[^\]]*\]/).filter((part) => part.length >= 2);
  const marks: Mark[] = [];
  let from = 0;
  for (const part of parts) {
    // An ending says the kind of file, which the reader sees without a mark.
    if (part.startsWith(".")) continue;
    const at = name.toLowerCase().indexOf(part.toLowerCase(), from);
    if (at === -1) return [];
    marks.push({ from: at, to: at + part.length });
    from = at + part.length;
  }
  return marks;
}
