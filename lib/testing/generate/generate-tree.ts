import type { ClientVersion } from "./dialect";
import { GENERATED_FROM_MS } from "./generate-session";
import { createVocabulary, type Vocabulary } from "./prose";
import { createRandom, type Random } from "./random";
import type { SessionPlan } from "./session-context";
import { diskStorage, type Storage } from "./storage";
import type { TreeTruth } from "./truth";
import { writeSession } from "./write-session";

type TreeOptions = {
  seed: number;
  /** All files together; met within 3 %. */
  bytes: number;
  /** A folder that stands for `~/.claude`; or give `storage`. */
  dir?: string;
  storage?: Storage;
  sessions?: number;
  agentsPerSession?: number;
  versions?: readonly ClientVersion[];
  damage?: boolean;
};

const ALL_VERSIONS: readonly ClientVersion[] = ["2.0.76", "2.1.42", "2.1.330"];
const BYTES_PER_SESSION = 620_000;
const DAY_MS = 86_400_000;
/** One session of a large tree is as large as those that readers complain about. */
const LARGE_SESSION_BYTES = 41_000_000;

/** Writes a tree of sessions as `~/.claude` holds them. The same options give the same bytes. */
export function generateTree(options: TreeOptions): TreeTruth {
  const { seed } = options;
  const random = createRandom(seed);
  const vocabulary = createVocabulary(seed);
  const counted = countFiles(options.storage ?? diskStorage(folderOf(options)));
  const truth: TreeTruth = {
    seed,
    bytes: 0,
    files: 0,
    transcriptFiles: 0,
    records: 0,
    projects: [],
    sessions: [],
  };
  const projects = makeProjects(random, vocabulary, options);
  let owed = 0;
  for (const plan of makePlans(random, options, projects)) {
    // What one session misses or exceeds, the next ones make good.
    const wanted = plan.bytes;
    plan.bytes = Math.max(2000, Math.round(wanted + Math.max(-wanted / 2, Math.min(wanted, owed))));
    const session = writeSession(counted.storage, plan, vocabulary, random.int(0, 2 ** 31));
    owed += wanted - session.bytes;
    truth.sessions.push(session);
    truth.records += session.records;
    truth.bytes += session.bytes;
    truth.transcriptFiles += 1 + session.agents;
  }
  truth.files = counted.count();
  truth.projects = projects
    .map(({ cwd, slug }) => ({
      cwd,
      slug,
      sessions: truth.sessions.filter((session) => session.cwd === cwd).length,
    }))
    .filter((project) => project.sessions > 0);
  return truth;
}

type ProjectPlan = { cwd: string; slug: string };

function makeProjects(random: Random, vocabulary: Vocabulary, { bytes }: TreeOptions): ProjectPlan[] {
  const count = Math.max(2, Math.min(40, Math.round(bytes / 8_000_000)));
  const names = new Set<string>();
  while (names.size < count)
    names.add(
      `${random.pick(vocabulary.words)}${random.pick([".", "_", "-"])}${random.pick(vocabulary.words)}`,
    );
  return [...names].map((name) => {
    const cwd = `/home/dev/${name}`;
    return { cwd, slug: cwd.replaceAll(/[^A-Za-z0-9]/g, "-") };
  });
}

function makePlans(random: Random, options: TreeOptions, projects: ProjectPlan[]): SessionPlan[] {
  const { bytes, versions = ALL_VERSIONS, damage = false } = options;
  const count = options.sessions ?? Math.max(3, Math.round(bytes / BYTES_PER_SESSION));
  const large = bytes > 4 * LARGE_SESSION_BYTES ? LARGE_SESSION_BYTES : 0;
  const weights = Array.from({ length: count - (large ? 1 : 0) }, () => random.logNormal(1, 1.2));
  const share = (bytes - large) / weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => weight * share);
  if (large) sizes.splice(random.int(0, sizes.length), 0, large);
  return sizes.map((size, at) => {
    const agents =
      random.logNormal(options.agentsPerSession ?? 3.4, 0.6) *
      Math.min(3, Math.sqrt(size / BYTES_PER_SESSION));
    return {
      id: random.uuid(),
      ...random.pick(projects),
      gitBranch: random.chance(0.7) ? "main" : `fix/${random.hex(5)}`,
      version: random.pick(versions),
      startedAtMs: GENERATED_FROM_MS + Math.floor((at * 90 * DAY_MS) / count) + random.int(0, DAY_MS / 2),
      bytes: Math.round(size),
      records: Number.POSITIVE_INFINITY,
      agents: Math.round(agents),
      textScale: Math.min(1, Math.max(0.1, size / 300_000)),
      hugeLines: size > 5_000_000 ? 3 : 0,
      damage,
    };
  });
}

function countFiles(storage: Storage): { storage: Storage; count(): number } {
  let opened = 0;
  return {
    storage: {
      open(path) {
        opened++;
        return storage.open(path);
      },
    },
    count: () => opened,
  };
}

function folderOf({ dir }: TreeOptions): string {
  if (dir === undefined) throw new Error("generateTree needs dir or storage");
  return dir;
}
