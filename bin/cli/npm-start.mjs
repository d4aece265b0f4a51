/** Whether this is `npm start` in a clone. */
export function isNpmStart() {
  const { npm_lifecycle_event: script, npm_package_name: of } = process.env;
  return script === "start" && of === "backscroll";
}
