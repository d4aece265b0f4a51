import { expect, test } from "vitest";
import { classifyCommand } from "./describe-shell";

test.each([
  ["npm test -- retry", "test"],
  ["cd web && CI=1 npx vitest run", "test"],
  ["python -m pytest -q", "test"],
  ["cargo test --all", "test"],
  ["npm run build", "build"],
  ["timeout 60 make -j4", "build"],
  ["tsc --noEmit", "build"],
  ["git push --force-with-lease", "git"],
  ["gh pr view 3", "git"],
  ["ls -la", "other"],
  ["echo npm test", "other"],
  ["", "other"],
])("%s is %s", (command, expected) => {
  expect(classifyCommand(command)).toBe(expected);
});
