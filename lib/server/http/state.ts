import { Annotations } from "@/lib/server/annotations/annotations";
import { ArchivedFiles } from "@/lib/server/archive/archived-files";
import { LogArchive, startLogArchive } from "@/lib/server/archive/log-archive";
import { setKeptFiles } from "@/lib/server/disk/kept-files";
import { removeLeftDrafts } from "@/lib/server/disk/replace-file";
import { Tickets } from "@/lib/server/export/tickets";
import { sincePageAskedMs } from "@/lib/server/presence/asked-pages";
import { Presence } from "@/lib/server/presence/presence";
import { type Config, readConfig } from "@/lib/server/runtime/config";
import { SHARE_STANDS_STILL, startCopyThread } from "@/lib/server/shares/copy-follower";
import { Shares } from "@/lib/server/shares/shares";
import { type Library, startLibrary } from "./library";

/** Raise it with every change of what the state holds: a development reload then remakes it. */
const VERSION = 13;

const KEY = Symbol.for("backscroll.state");

/** The owner's library, and what there is besides. */
export type ServerState = Library & {
  version: number;
  tickets: Tickets;
  shares: Shares<Library>;
  annotations: Annotations;
  presence: Presence;
};

/**
 * The one state of this process. On `globalThis`, because instrumentation and routes are bundled
 * apart; made at the first call, with the first listing and the scan behind it under way.
 */
export function getState(): ServerState {
  const holder = globalThis as { [KEY]?: ServerState };
  if (holder[KEY]?.version !== VERSION) {
    void holder[KEY]?.dispose();
    holder[KEY] = startState(readConfig());
  }
  return holder[KEY];
}

function startState(config: Config): ServerState {
  if (config.dataDir !== null) void removeLeftDrafts(config.dataDir);
  const archive = startLogArchive(config);
  // First: threads that are started from here on read what this one does.
  setKeptFiles(archive.folder === null ? null : new ArchivedFiles(archive.folder, archive.listing));
  const library = startLibrary(config, {
    access: { kind: "owner" },
    archive,
    written: (path) => {
      archive.touch(path);
      shares.touch(path);
    },
  });
  const { catalog, secrets } = library;
  const ask = startCopyThread();
  const shares = new Shares<Library>({
    catalog,
    secrets,
    ask,
    dataDir: config.dataDir,
    open: openCopy(config),
    warn: (told) => {
      const others = library.warnings.filter(({ code }) => code !== SHARE_STANDS_STILL);
      library.warnings.splice(0, Number.POSITIVE_INFINITY, ...others, ...told.slice(0, 1));
    },
    lost: (warning) => library.warnings.push(warning),
  });
  let ofAnnotations: Library["warnings"] = [];
  const annotations = new Annotations(config.annotationsDir, {
    latest: (id) => library.sessions.latest(id),
    projectChanged: (id, marks) => catalog.setProjectMarks(id, marks),
    changed: (id, marks, comments) => {
      if (id !== null) catalog.setMarks(id, marks);
      library.live.annotationsChanged(id);
      if (comments) shares.commentsChanged(id, ({ live }, copied) => live.annotationsChanged(copied));
    },
    warn: (warnings) => {
      const others = library.warnings.filter((warning) => !ofAnnotations.includes(warning));
      ofAnnotations = warnings;
      library.warnings.splice(0, Number.POSITIVE_INFINITY, ...others, ...warnings);
    },
  });
  void annotations.start();
  const presence = new Presence({
    translate: (share, position) => shares.positionFor(share, position),
    sincePageAskedMs,
  });
  const dispose = () => {
    presence.stop();
    annotations.stop();
    shares.stop();
    const ended = library.dispose();
    setKeptFiles(null);
    return ended;
  };
  return { ...library, version: VERSION, tickets: new Tickets(), shares, annotations, presence, dispose };
}

/** Reads a copy that is shared: with nothing of the owner's settings, and without an archive. */
function openCopy({
  version,
  build,
  demo,
}: Config): (logs: string, data: string, access: Library["access"]) => Library {
  return (logs, data, access) => {
    const config: Config = {
      roots: [{ path: logs, kind: "config" }],
      dataDir: data,
      archiveDir: null,
      annotationsDir: null,
      flags: [],
      warnings: [],
      version,
      build,
      demo,
    };
    return startLibrary(config, { access, archive: new LogArchive(null, null), written: () => undefined });
  };
}
