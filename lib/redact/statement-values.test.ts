import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, SMALL_TEXT, timeGrowth } from "@/lib/testing/time-growth";
import { findSecrets } from "./find-secrets";

const KEY = "x7Kd9QmZ2vB4nT8rWyL5";
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  ["one row", "INSERT INTO users (name, password, age) VALUES ('anna', 'S3cret!pw9', 12);", ["S3cret!pw9"]],
  [
    "several rows and a line for each",
    `insert ignore into "shop"."keys"\n  (id, api_key, note)\nvalues\n  (1, '${KEY}', 'it''s (1)'),\n  (2, NULL, 'x'),\n  (3, '${KEY}z', '');\nselect 1`,
    [KEY, `${KEY}z`],
  ],
  [
    "functions",
    "INSERT INTO users (email, password) VALUES ('a', crypt('S3cret!pw9', gen_salt('bf', 8))), (lower('B'), 'hunter22')",
    ["S3cret!pw9", "hunter22"],
  ],
  [
    "names in quotes",
    "REPLACE INTO `users` (`login`,`pwd`) VALUES ('anna','hunter22') ON DUPLICATE KEY UPDATE `pwd`='x'",
    ["hunter22"],
  ],
  [
    "several statements in source",
    `db.exec("INSERT INTO a (x) VALUES ('hunter22')"); db.exec("INSERT INTO b (token, y) VALUES ('${KEY}', 1)");`,
    [KEY],
  ],
  [
    "what pg_dump writes",
    `COPY public.users (id, login, password, note) FROM stdin;\n1\tanna\thunter22\t\\N\n2\totto\tsw0rdfish\ta b\n\\.\n\n3\tx\thunter23\ty\n`,
    ["hunter22", "sw0rdfish"],
  ],
])("the column of a statement tells what its values are: %s", (_, text, values) => {
  expect(valuesIn(text)).toEqual(values);
});

test("other columns, placeholders and sentences are no secrets", () => {
  for (const text of [
    `INSERT INTO hashes (name, sum) VALUES ('a', '${KEY}')`,
    "INSERT INTO users (name, password) VALUES ($1, $2), (?, ?), (:name, :password1), ('{a1}', '${pw1}')",
    `"INSERT INTO users (password) VALUES ('" + password1 + "')" + "x1 y2"`,
    "INSERT INTO users (password) VALUES (NULL), (DEFAULT), ('required'), ('a sentence with 1 number')",
    "to insert into a list (password) values (that 1 is)",
    "COPY users (id, password) FROM stdin;\n\\.\n",
  ])
    expect(findSecrets(text), text).toEqual([]);
});

test("what stands behind a quote that does not end is looked at too", () => {
  const next = "INSERT INTO users (name, password) VALUES ('anna', 'S3cret!pw9');";
  for (const before of [
    // It was cut, put together, or is in a commit's message: the first quote of the next statement seems to end it.
    `INSERT INTO notes (text, password) VALUES ('it is`,
    `db.run("INSERT INTO a (password) VALUES ('" + quoted(\`it's\`)`,
    `INSERT INTO a (password) VALUES (\\'x`,
    `INSERT INTO a (password) VALUES ("x`,
  ]) {
    expect(valuesIn(`${before}\n${next}`), before).toContain("S3cret!pw9");
    expect(valuesIn(`${before}\n${next}\n${next.replace("S3cret!pw9", "hunter22")}`), before).toContain(
      "hunter22",
    );
  }
  const inside = "INSERT INTO log (sql, password) VALUES ('INSERT INTO x (token) VALUES (1)', 'hunter22')";
  expect(valuesIn(inside)).toEqual(["hunter22"]);
});

test("a value of any length stands among the others, as a picture does in a dump", () => {
  const picture = `${"4A ".repeat(1 << 22)}it''s`;
  const text = `INSERT INTO users (picture, password) VALUES ('${picture}', 'hunter22')`;
  expect(valuesIn(text)).toEqual(["hunter22"]);
});

test.each([
  "insert into a(password)values(",
  "insert into a(password)values('",
  "insert into a(password)values(\\'",
  "insert into a(password)values('a'),('b'),",
  "insert into a(",
  "COPY a (password) FROM stdin;\n",
])("256 KB of %j take as long as thirty times as much of 8 KB", (piece) => {
  const growth = timeGrowth((size) => void findSecrets(piece.repeat(size / piece.length)), SMALL_TEXT);
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});
