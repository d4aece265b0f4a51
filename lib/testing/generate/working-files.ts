import type { Prose } from "./prose";
import type { Random } from "./random";

export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

/** The files that a session reads and changes, held as lines so that patches are true. */
export type WorkingFiles = {
  /** An existing file, or a newly thought-up one. */
  pick(): { path: string; lines: string[] };
  /** Replaces some lines and returns what a patch tool would. */
  edit(path: string, lines: string[]): { oldText: string; newText: string; original: string; hunk: Hunk };
  /** A path that does not exist yet, with its lines; it exists from now on. */
  create(lineCount: number): { path: string; lines: string[] };
};

const CONTEXT_LINES = 3;
const MAX_FILES = 40;

/** Starts without files; `textScale` makes them shorter. */
export function createWorkingFiles(
  random: Random,
  prose: Prose,
  cwd: string,
  textScale: number,
): WorkingFiles {
  const files = new Map<string, string[]>();
  const paths: string[] = [];

  function add(path: string, lines: string[]) {
    if (!files.has(path)) paths.push(path);
    files.set(path, lines);
    return { path, lines };
  }

  return {
    pick() {
      if (paths.length < 4 || (paths.length < MAX_FILES && random.chance(0.15))) {
        const lines = Math.max(8, Math.round(random.logNormal(140, 0.7) * Math.max(0.1, textScale)));
        const path = `${cwd}/${prose.path()}`;
        if (!files.has(path)) return add(path, prose.codeLines(Math.min(lines, 1500)));
      }
      const path = random.pick(paths);
      return { path, lines: files.get(path)! };
    },
    create(lineCount) {
      let path = `${cwd}/${prose.path()}`;
      while (files.has(path)) path = `${cwd}/${prose.path()}`;
      const lines = prose.codeLines(lineCount);
      return paths.length < MAX_FILES ? add(path, lines) : { path, lines };
    },
    edit(path, lines) {
      const removed = random.int(1, Math.min(6, lines.length));
      const start = random.int(0, lines.length - removed);
      const oldLines = lines.slice(start, start + removed);
      const newLines = [...prose.codeLines(random.int(1, 9)), `// ${prose.word()} ${random.hex(6)}`];
      const before = lines.slice(Math.max(0, start - CONTEXT_LINES), start);
      const after = lines.slice(start + removed, start + removed + CONTEXT_LINES);
      const changed = lines.toSpliced(start, removed, ...newLines);
      if (files.has(path)) files.set(path, changed);
      return {
        oldText: oldLines.join("\n"),
        newText: newLines.join("\n"),
        original: `${lines.join("\n")}\n`,
        hunk: {
          oldStart: start - before.length + 1,
          oldLines: before.length + removed + after.length,
          newStart: start - before.length + 1,
          newLines: before.length + newLines.length + after.length,
          lines: [
            ...before.map((line) => ` ${line}`),
            ...oldLines.map((line) => `-${line}`),
            ...newLines.map((line) => `+${line}`),
            ...after.map((line) => ` ${line}`),
          ],
        },
      };
    },
  };
}
