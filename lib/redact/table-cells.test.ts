import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets";

const KEY = "x7Kd9QmZ2vB4nT8rWyL5";
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  [
    "psql",
    ` id | name |       api_key        | password\n----+------+----------------------+----------\n  1 | shop | ${KEY} | hunter22\n  2 | logs |                      | \n  3 | mail | ${KEY}z | swordf1sh\n(3 rows)\n`,
    [KEY, "hunter22", `${KEY}z`, "swordf1sh"],
  ],
  ["one column of psql", `       api_key        \n----------------------\n ${KEY}\n(1 row)\n`, [KEY]],
  [
    "psql, with columns below each other",
    `-[ RECORD 1 ]--------------\nid       | 1\ntoken    | ${KEY}\n-[ RECORD 2 ]--------------\nid       | 2\nuser_pwd | hunter22\n`,
    [KEY, "hunter22"],
  ],
  [
    "mysql",
    `+----+----------------------+\n| id | secret               |\n+----+----------------------+\n|  1 | ${KEY} |\n+----+----------------------+\n1 row in set\n`,
    [KEY],
  ],
  [
    "Markdown",
    `| who | Password |\r\n| --- | :---: |\r\n| anna | hunter22 |\r\n| otto | required |\r\n`,
    ["hunter22"],
  ],
  [
    "Markdown, whose rows end without a bar",
    "| who | Password |\n| --- | --- |\n| anna | hunter22\n",
    ["hunter22"],
  ],
  [
    "a program that indents it, by its dashes alone",
    "  name  password\n  ----  --------\n  anna  hunter22\n",
    ["hunter22"],
  ],
])("a column of a table of %s tells what its cells are", (_, text, values) => {
  expect(valuesIn(text)).toEqual(values);
});

test("columns with other names, and text after a table, are no secrets", () => {
  for (const text of [
    ` tokens | hash\n--------+----------------------\n     12 | ${KEY}\n`,
    `| name | password |\n|---|---|\n| a | required |\n\nhunter22 | hunter23\n`,
    `token\n-----\nsee below\n\n${KEY}\n`,
  ])
    expect(valuesIn(text), text).toEqual([]);
});
