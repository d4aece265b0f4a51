import { decodeString, eachString } from "./json-strings";
import { HOME_ROOTS } from "./looks";
import { isSignature, type Redaction } from "./redaction";

/** What replaces texts of a session for a reader: its secrets, the folders that it was in, or both. */
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

/** An absolute path that is not the root itself. */
const BELOW_ROOT = /^(?:[A-Za-z]:)?[\\/]+[^\\/]/;

/**
 * Shortens paths, after what `secrets` replaces: wherever one begins with a home folder, that is `~`; where it lies in
 * `project`, which comes first, it is written from there, and the project's folder itself is `.`, but where an answer says
 * which project it is: there it keeps its name. In a line of a log all else stays byte for byte.
 * @param project an absolute path, or `null` where paths in it are shortened as any other
 * @returns `secrets` itself where there are no such folders
 */
export function withShortPaths(
  { homes, project }: { homes: readonly string[]; project: string | null },
  secrets: Rewriting | null,
): Rewriting | null {
  // The name of its owner may be replaced by then.
  const formsOf = (folder: string) => new Set([folder, secrets?.redactText(folder) ?? folder]);
  const inProject =
    project !== null && BELOW_ROOT.test(project) ? [...formsOf(project)].map(projectPattern) : [];
  const inHome = homes.flatMap((home) => [...formsOf(home)]).map((home) => patternOf(home).pattern);
  if (inProject.length + inHome.length === 0) return secrets;
  const shortened = (text: string) => {
    const fromProject = inProject.reduce(
      (rest, pattern) => rest.replace(pattern, (_, slash?: string) => (slash === undefined ? "." : "")),
      text,
    );
    return inHome.reduce((rest, pattern) => rest.replace(pattern, "~"), fromProject);
  };
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
    const whole = shortened(text);
    const isProject = whole === "." && string.field() === "project.path";
    const short = isProject ? (/[^\\/]+(?=[\\/]*$)/.exec(text)?.[0] ?? whole) : whole;
    if (short === text) return;
    parts.push(line.slice(copied, string.start), JSON.stringify(short).slice(1, -1));
    copied = string.end;
  });
  const rest = parts.join("") + line.slice(copied);
  return isWhole ? rest : shortened(rest);
}

/** A project's folder with the slash behind it, as a group, where a name follows that slash. */
function projectPattern(project: string): RegExp {
  const { pattern, slash } = patternOf(project.replace(/[\\/]+$/, ""));
  return new RegExp(`${pattern.source}(${slash}(?=[^\\s\\\\/"'\`<>()|:,;]))?`, pattern.flags);
}

/**
 * A folder as texts spell it: of Windows in either case, with either slash, escaped, and as Git Bash and WSL do. `slash`:
 * the source of the pattern of what divides its names.
 */
function patternOf(home: string): { pattern: RegExp; slash: string } {
  const drive = /^[A-Za-z](?=:)/.exec(home)?.[0];
  const isWindows = drive !== undefined || home.includes("\\");
  const names = home
    .replace(/^[A-Za-z]:/, "")
    .split(/[\\/]+/)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const slash = isWindows ? String.raw`(?:\\{1,4}|/)` : "/";
  const spelled = names.join(slash);
  const before = drive === undefined ? "" : `(?:${drive}:|/(?:mnt/|cygdrive/)?${drive}(?=/))`;
  return {
    pattern: new RegExp(NOT_INSIDE + before + spelled + NAME_GOES_ON, isWindows ? "giu" : "gu"),
    slash,
  };
}
