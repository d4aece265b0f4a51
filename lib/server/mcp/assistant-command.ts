import { join } from "node:path";
import type { Config } from "@/lib/server/runtime/config";
import { shellWord } from "@/lib/server/runtime/shell-words";

/**
 * The command for a terminal of this machine that adds this Backscroll to Claude Code in all projects. It reads what this
 * server reads.
 * @param packageRoot the folder of a clone or an installed package; npx does not keep what it installs in one place
 */
export function assistantCommand(
  { flags, demo }: Pick<Config, "flags" | "demo">,
  packageRoot = process.env.BACKSCROLL_PACKAGE_ROOT ?? "",
  platform: NodeJS.Platform = process.platform,
): string {
  const isWindows = platform === "win32";
  const isInstalled = packageRoot === "" || /[\\/]node_modules[\\/]/.test(packageRoot);
  const npx = isWindows ? ["cmd", "/c", "npx"] : ["npx"];
  const program = isInstalled ? [...npx, "backscroll"] : ["node", join(packageRoot, "bin", "backscroll.mjs")];
  const of = [...flags, ...(demo ? ["--demo"] : [])];
  // PowerShell takes a bare -- for itself.
  const rest = isWindows ? "'--'" : "--";
  return [
    "claude mcp add -s user backscroll",
    rest,
    ...[...program, "mcp", ...of].map((text) => shellWord(text, platform)),
  ].join(" ");
}
