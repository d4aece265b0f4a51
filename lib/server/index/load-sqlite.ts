import { createRequire } from "node:module";
import { join } from "node:path";
import { inDatabase } from "./database-gate";

type Value = null | number | bigint | string | Uint8Array;

export type Statement = {
  run(...values: Value[]): unknown;
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  iterate(...values: Value[]): IterableIterator<unknown>;
};

/** The part of `node:sqlite` that is used here; both drivers have it. */
export type Database = { exec(sql: string): void; prepare(sql: string): Statement; close(): void };

type Driver = { DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Database };

/**
 * Opens a database with the SQLite of this Node, or the package's where it has none. The package is never imported: it
 * contains binaries, which a bundler cannot move. Throws if there is neither.
 */
export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Database {
  const { driver, isBuiltin } = loadDriver();
  if (isBuiltin) return new driver.DatabaseSync(path, options);
  return gated(inDatabase(() => new driver.DatabaseSync(path, options)));
}

/** The database with each of its steps inside the gate. */
function gated(database: Database): Database {
  return {
    exec: (sql) => inDatabase(() => database.exec(sql)),
    prepare: (sql) => gatedStatement(inDatabase(() => database.prepare(sql))),
    close: () => inDatabase(() => database.close()),
  };
}

function gatedStatement(statement: Statement): Statement {
  return {
    run: (...values) => inDatabase(() => statement.run(...values)),
    get: (...values) => inDatabase(() => statement.get(...values)),
    all: (...values) => inDatabase(() => statement.all(...values)),
    *iterate(...values) {
      const rows = inDatabase(() => statement.iterate(...values));
      try {
        for (let row = inDatabase(() => rows.next()); !row.done; row = inDatabase(() => rows.next()))
          yield row.value;
      } finally {
        // A loop that is left early must not leave its statement open.
        inDatabase(() => rows.return?.());
      }
    },
  };
}

function loadDriver(): { driver: Driver; isBuiltin: boolean } {
  const builtin = withoutWarning(() =>
    (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule?.("node:sqlite"),
  );
  if (builtin) return { driver: builtin as Driver, isBuiltin: true };
  const root = process.env.BACKSCROLL_PACKAGE_ROOT ?? process.cwd();
  const load = createRequire(join(root, "package.json"));
  // A thread that is ended while it loads the package crashes the process too.
  const driver = inDatabase(() => load("@photostructure/sqlite") as Driver);
  return { driver, isBuiltin: false };
}

/** Node 22 warns once that its SQLite is experimental. The part used here has not changed since it was introduced. */
function withoutWarning<T>(load: () => T): T {
  // oxlint-disable-next-line typescript/unbound-method -- called by nobody, and put back as it was
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
