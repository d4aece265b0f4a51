import { RE2JS } from "re2js";
import type { RawLine } from "@/lib/log/records/line-splitter";
import { type Finding, type Learned, Redaction } from "@/lib/redact/redaction";
import { isPersonal } from "@/lib/redact/rules";
import { readLog } from "@/lib/server/disk/read-log";
import { isViewerError } from "@/lib/server/runtime/viewer-error";

/** The logs of a session, main log first, the user's own patterns, and what was learned of it before. */
export type SecretsRequest = {
  root: string;
  files: { path: string; name: string }[];
  own: string[];
  /** Secrets keep their names, by which some may have been excepted. */
  learned: Learned | undefined;
};

/** A finding with its line in the log: `line` is the one in the field's text. */
export type LoggedFinding = Finding & { file: number; logLine: number; offset: number; length: number };

/** The secrets in a session. Personal data is listed once for each value, and all of it is counted. */
export type ScannedSecrets = {
  findings: LoggedFinding[];
  /** By rule. */
  counts: Record<string, number>;
  /** How many different ones, by rule. */
  distinct: Record<string, number>;
  learned: Learned;
  bytes: number;
  unread: { file: string; message: string }[];
};

const MAX_FINDINGS = 2000;
const decoder = new TextDecoder();

/**
 * Reads every line of the files and finds the secrets in them. Synchronous, for a worker thread; keeps one line at a
 * time, and what it found. A file that cannot be read is listed, never thrown.
 * @param onProgress bytes read since the last call
 */
export function scanSecrets(
  { root, files, own, learned }: SecretsRequest,
  onProgress: (bytes: number) => void,
): ScannedSecrets {
  const patterns = own.map((pattern) => RE2JS.compile(pattern));
  const redaction = new Redaction(patterns, [], learned);
  const scanned: Omit<ScannedSecrets, "learned"> = {
    ...{ findings: [], counts: {}, distinct: {}, bytes: 0, unread: [] },
  };
  const names = new Set<string>();
  for (const [file, { path, name }] of files.entries()) {
    const take = ({ bytes, line: logLine, offset, length }: RawLine) =>
      redaction.learn(decoder.decode(bytes), (finding) => {
        const { rule, name } = finding;
        const isNew = !names.has(name);
        names.add(name);
        scanned.counts[rule] = (scanned.counts[rule] ?? 0) + 1;
        if (isNew) scanned.distinct[rule] = (scanned.distinct[rule] ?? 0) + 1;
        if (scanned.findings.length >= MAX_FINDINGS || (isPersonal(rule) && !isNew)) return;
        scanned.findings.push({ ...finding, file, logLine, offset, length });
      });
    redaction.beginLog();
    try {
      const { bytes, rest } = readLog(root, path, take, onProgress);
      if (rest) take(rest);
      scanned.bytes += bytes;
    } catch (error) {
      if (!isViewerError(error)) throw error;
      scanned.unread.push({ file: name, message: error.message });
    }
  }
  return { ...scanned, learned: redaction.learned };
}
