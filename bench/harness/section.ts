/** One line of the table. `measured` is the median, in words; `null` where this machine or version cannot tell. */
export type Row = {
  label: string;
  budget: string;
  measured: string | null;
  samples: number;
  /** Time relative to parsing every line of the same corpus once, where that says something. */
  ratio: number | null;
  ok: boolean | null;
  note?: string;
};

/** What a section is given. */
export type Bench = {
  /** Small corpora and few samples: to see that everything works, not to judge. */
  quick: boolean;
  /** Folder that keeps generated corpora from run to run. */
  cache: string;
  /** Tells on stderr what is going on. */
  say(text: string): void;
};

/** A group of lines that share a server, a corpus or a browser. */
export type Section = {
  name: string;
  run(bench: Bench): Promise<Row[]>;
};
