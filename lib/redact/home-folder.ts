import { decodeString, eachString } from "./json-strings";
import { HOME_ROOTS } from "./looks";
import { isSignature, type Redaction } from "./redaction";

/** What replaces texts of a session for a reader: its secrets, the home folder that it was in, or both. */
export type Rewriting = Pick<Redaction, "redactLine" | "redactText" | "isSettings">;

const HOME = new RegExp(
  `^(?:(?:[A-Za-z]:|${HOME_ROOTS})?[\\\\/]{1,2}(?:home|Users|users|USERS)[\\\\/]{1,2}[^\\\\/]+|/(?:var/)?root)(?=[\\\\/]|$)`,
);
/** What goes on behind it is the name of another folder. */
const NAME_GOES_ON = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`;
/** A path that goes on before it is another folder's, but for the slashes of an address such as `file:///home/…`. */
const NOT_INSIDE = String.raw`(?<![\p{L}\p{N}_.~-]|[^/\\][/\\])`;

/** The home folders that contain these paths, each once: those of Linux, macOS and Windows. */
export function homeFoldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => HOME.exec(path)?.[0] ?? []))];
}

/**
 * Writes `~` for these home folders wherever a path begins with one, after what `secrets` replaces. In a line of a log all
 * else stays byte for byte.
 * @returns `secrets` itself where there are no home folders
 */
export function withTilde(homes: readonly string[], secrets: Rewriting | null): Rewriting | null {
  if (homes.length === 0) return secrets;
  // The name of its owner may be replaced by then.
  const forms = new Set(homes.flatMap((home) => [home, secrets?.redactText(home) ?? home]));
  const patterns = [...forms].map(patternOf);
  const shortened = (text: string) => patterns.reduce((rest, pattern) => rest.replace(pattern, "~"), text);
  return {
    isSettings: (name) => secrets?.isSettings(name) ?? false,
    redactText: (text, isSettings) => shortened(secrets?.redactText(text, isSettings) ?? text),
    redactLine: (line, isSettings) => shortenedLine(secrets?.redactLine(line, isSettings) ?? line, shortened),
  };
}

function shortenedLine(line: string, shortened: (text: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  const isWhole = eachString(line, (string) => {
    if (isSignature(string)) return;
    const text = decodeString(line.slice(string.start, string.end));
    const short = shortened(text);
    if (short === text) return;
    parts.push(line.slice(copied, string.start), JSON.stringify(short).slice(1, -1));
    copied = string.end;
  });
  const rest = parts.join("") + line.slice(copied);
  return isWhole ? rest : shortened(rest);
}

/** A home folder as texts spell it: of Windows in either case, with either slash, escaped, and as Git Bash and WSL do. */
function patternOf(home: string): RegExp {
  const drive = /^[A-Za-z](?=:)/.exec(home)?.[0];
  const isWindows = drive !== undefined || home.includes("\\");
  const names = home
    .replace(/^[A-Za-z]:/, "")
    .split(/[\\/]+/)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const spelled = names.join(isWindows ? String.raw`(?:\\{1,4}|/)` : "/");
  const before = drive === undefined ? "" : `(?:${drive}:|/(?:mnt/|cygdrive/)?${drive}(?=/))`;
  return new RegExp(NOT_INSIDE + before + spelled + NAME_GOES_ON, isWindows ? "giu" : "gu");
}
