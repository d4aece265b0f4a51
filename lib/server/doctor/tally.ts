import type { DoctorCount, DoctorFinding, DoctorPlace } from "@/lib/wire/doctor";
import { RULES, type Rule } from "./rules";

/** Places kept of one finding in one session, and in a whole report. */
const MOST_PLACES = 20;

/** Counts names, in all and by version. */
export class NameTally {
  readonly #counts = new Map<string, DoctorCount>();

  add(name: string, version: string, known = true, times = 1): void {
    let count = this.#counts.get(name);
    if (!count)
      this.#counts.set(
        name,
        (count = { name, known, total: 0, byVersion: Object.create(null) as DoctorCount["byVersion"] }),
      );
    count.total += times;
    count.byVersion[version] = (count.byVersion[version] ?? 0) + times;
  }

  merge(counts: readonly DoctorCount[]): void {
    for (const { name, known, byVersion } of counts) {
      for (const [version, times] of Object.entries(byVersion)) this.add(name, version, known, times);
    }
  }

  /** Most first. */
  list(): DoctorCount[] {
    return [...this.#counts.values()].sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
  }
}

/** Collects findings: all are counted, the first are kept with their places. */
export class FindingTally {
  readonly #findings = new Map<Rule, DoctorFinding & { inFiles: Set<string> }>();

  add(rule: Rule, place: DoctorPlace): void {
    const finding = this.#finding(rule);
    finding.count += 1;
    finding.inFiles.add(`${place.sessionId} ${place.file}`);
    if (finding.places.length < MOST_PLACES) finding.places.push(place);
  }

  merge(findings: readonly DoctorFinding[]): void {
    for (const found of findings) {
      const finding = this.#finding(found.rule as Rule);
      finding.count += found.count;
      finding.files += found.files;
      finding.places.push(...found.places.slice(0, MOST_PLACES - finding.places.length));
    }
  }

  /** In the order of `RULES`. */
  list(): DoctorFinding[] {
    const found = (Object.keys(RULES) as Rule[]).flatMap((rule) => this.#findings.get(rule) ?? []);
    return found.map(({ inFiles, files, ...finding }) => ({ ...finding, files: files + inFiles.size }));
  }

  #finding(rule: Rule) {
    const known = this.#findings.get(rule);
    if (known) return known;
    const [level, title] = RULES[rule];
    const finding = { rule, level, title, count: 0, files: 0, places: [], inFiles: new Set<string>() };
    this.#findings.set(rule, finding);
    return finding;
  }
}
