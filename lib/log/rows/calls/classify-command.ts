import type { CommandClass } from "@/lib/wire/brief";

/** What stands before the command proper: variables, changes of directory, wrappers. */
const PREFIX =
  /^(?:(?:[A-Za-z_]\w*=\S*|cd\s+\S+\s*(?:&&|;)|sudo|env|time|timeout\s+\S+|npx|bunx|uvx|pnpm\s+exec|poetry\s+run|uv\s+run|bundle\s+exec)\s+)*/;

const TEST =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t|e2e|coverage)\b|(?:pytest|py\.test|vitest|jest|mocha|ava|playwright|cypress|rspec|phpunit|ctest|tox|nox|gotestsum)\b|(?:python3?\s+-m\s+)(?:pytest|unittest)\b|(?:go|cargo|dotnet|deno|mix|swift|rake|make|mvn|gradle|\.\/gradlew|node)\s+(?:-\S+\s+)*(?:--)?(?:test|check|verify)\b)/;
const BUILD =
  /^(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:build|compile|lint|typecheck|check|format)\b|(?:tsc|webpack|vite|rollup|esbuild|next|make|cmake|ninja|bazel|eslint|biome|prettier|oxlint|ruff|mypy|gcc|g\+\+|clang|javac|docker\s+build)\b|(?:go|cargo|dotnet|mix|swift|mvn|gradle|\.\/gradlew)\s+(?:build|vet|clippy|fmt|compile|package|assemble|install)\b)/;
const GIT = /^(?:git|gh|jj)\b/;

/** What a shell command is for, by its first words. A guess from its text, never from what it did. */
export function classifyCommand(command: string): CommandClass {
  const words = command.trim().replace(PREFIX, "");
  if (TEST.test(words)) return "test";
  if (BUILD.test(words)) return "build";
  return GIT.test(words) ? "git" : "other";
}
