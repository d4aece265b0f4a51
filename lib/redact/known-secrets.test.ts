import { expect, test } from "vitest";
import { Redaction } from "./redaction";

test.each([
  ["a manifest", "apiVersion: v1\nkind: Secret\nstringData:\n  MODE: production", "production", "S3cret!pw9"],
  ["the address of a database", "mysql://wordpress:wordpress@db/shop", "wordpress", "wordpress1"],
  ["a client's settings", "[client]\npassword=database", "database", "database1"],
  ["a client's settings, in capitals", "[client]\npassword=Database", "Database", "Database1"],
  ["a statement", "CREATE USER app IDENTIFIED BY 'keycloak'", "keycloak", "keycloak1"],
])("a word that is the password in %s is a word elsewhere", (_, text, word, password) => {
  const redaction = learned([result(text)]);
  expect(JSON.parse(redaction.redactLine(result(text))).message.content[0].content).not.toBe(text);
  expect(redaction.redactText(`Deploy ${word} again`)).toBe(`Deploy ${word} again`);
  const other = learned([result(text.replaceAll(word, password))]);
  expect(other.redactText(`Rotate ${password} now`)).toMatch(/^Rotate \[[a-z-]+ 1\] now$/);
});

test("a password of words that no setting commonly has is hidden wherever it stands", () => {
  for (const password of ["supersecret", "correct horse battery"]) {
    const text = `[client]\npassword="${password}"`;
    expect(learned([result(text)]).redactText(`Rotate ${password} now`)).toMatch(
      /^Rotate \[[a-z-]+ 1\] now$/,
    );
  }
});

test("a word that is a password in one place is hidden elsewhere, also where another place has it as less", () => {
  const word = "butterfly";
  const password = result(`[client]\npassword=${word}`);
  const others = {
    "a value of settings": [
      JSON.stringify({
        type: "assistant",
        message: { content: [{ type: "tool_use", id: "toolu_env", input: { command: "cat .env" } }] },
      }),
      result(`DB_USER=${word}`, "toolu_env"),
    ],
    "an option": [result(`kubectl create secret generic db --from-literal=pw=${word}`)],
  };
  for (const [what, lines] of Object.entries(others))
    for (const order of [
      [...lines, password],
      [password, ...lines],
    ]) {
      const redaction = learned(order);
      expect(redaction.redactText(`Rotate ${word} now`), what).toMatch(/^Rotate \[[a-z-]+ 1\] now$/);
      const again = new Redaction([], [], redaction.learned);
      expect(again.redactText(`Rotate ${word} now`), what).toMatch(/^Rotate \[[a-z-]+ 1\] now$/);
    }
});

test.each([
  ["Go's JSON", "S3cret&pw9!xy", "S3cret\\u0026pw9!xy"],
  ["PHP's JSON", "S3cret/pw9!xy", "S3cret\\/pw9!xy"],
  ["JSON inside JSON", 'S3c"ret!pw9xy', '{\\"a\\": \\"S3c\\\\\\"ret!pw9xy\\"}'],
  ["a terminal's colours", "S3cret!pw9xy", "S3cret\x1b[1m!pw9xy"],
])("a password that is known is found as %s writes it", (_, password, written) => {
  const redaction = learned([result(`export DB_PASSWORD='${password}'`)]);
  expect(redaction.redactText(`got ${written} there`)).toMatch(/^got .*\[password 1\].* there$/);
});

test("a text that ends like the beginning of a person's name has no name in it", () => {
  const redaction = learned([
    JSON.stringify({
      type: "user",
      cwd: "/home/winterbottom/shop",
      message: { role: "user", content: "Go" },
    }),
  ]);
  expect(redaction.redactText("Asked winterbottom")).toBe("Asked [user 1]");
  expect(redaction.redactText("Nobody likes winterbo")).toBe("Nobody likes winterbo");
});

function learned(lines: readonly string[]): Redaction {
  const redaction = new Redaction();
  for (const line of lines) redaction.learn(line, () => undefined);
  return redaction;
}

function result(content: string, id = "toolu_1"): string {
  const block = { tool_use_id: id, type: "tool_result", content };
  return JSON.stringify({ type: "user", message: { role: "user", content: [block] } });
}
