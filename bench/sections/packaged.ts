import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { formatMegabytes } from "../harness/format";
import { limitRow, missingRow } from "../harness/judge";
import type { Section } from "../harness/section";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The size of the package as npm would publish it, from the existing `dist/`. */
export const packaged: Section = {
  name: "package",
  async run() {
    if (!existsSync(join(ROOT, "dist"))) {
      return [missingRow("package: our files", "≤ 25 MB", "no dist/: run npm run build -- --package")];
    }
    const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      maxBuffer: 64 << 20,
    });
    const [packed] = JSON.parse(stdout) as { size: number; files: { path: string; size: number }[] }[];
    if (!packed) throw new Error("npm pack said nothing");
    const isOurs = ({ path }: { path: string }) => !path.includes("node_modules/");
    const sum = (files: { size: number }[]) => files.reduce((total, file) => total + file.size, 0);
    return [
      {
        ...limitRow("package: our files", [sum(packed.files.filter(isOurs))], 25_000_000, formatMegabytes),
        note: `${formatMegabytes(packed.size)} packed`,
      },
      limitRow("package: complete install", [sum(packed.files)], 60_000_000, formatMegabytes),
    ];
  },
};
