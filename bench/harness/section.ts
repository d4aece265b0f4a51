/** A row of the table. `measured` is the formatted median; `null` if this machine or version can't measure it. */
export type Row = {
  label: string;
  budget: string;
  measured: string | null;
  samples: number;
  /** The time relative to parsing every line of the same corpus once, where that is meaningful. */
  ratio: number | null;
  ok: boolean | null;
  note?: string;
};

/** The context of a section. */
export type Bench = {
  /** Small corpora and few samples: checks that everything works, without meaningful figures. */
  quick: boolean;
  /** The folder that caches generated corpora between runs. */
  cache: string;
  /** Reports progress on stderr. */
  say(text: string): void;
};

/** A group of rows that share a server, a corpus or a browser. */
export type Section = {
  name: string;
  run(bench: Bench): Promise<Row[]>;
};
