import { check } from "./check-steps.mjs";
import { installMissing } from "./install.mjs";
import { asProgram } from "./run.mjs";

// `npm run check`: format, lint, import rules, types, unit tests, unused code.
await asProgram(async () => {
  await installMissing("develop");
  await check();
});
