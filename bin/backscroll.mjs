#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`backscroll: needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  const { main } = await import("./cli/main.mjs");
  await main(process.argv.slice(2));
}
