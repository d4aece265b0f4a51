import { expect, test } from "vitest";
import { formatNotices, packagesOf, shippedPackages } from "./notices.mjs";

test("what is shipped is what our code imports, what that needs, and what its prices are from, each with a licence", () => {
  const packages = shippedPackages();
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["react", "next", "scheduler", "tailwindcss", "zod", "@pydantic/genai-prices"]),
  );
  expect(names).not.toEqual(expect.arrayContaining(["vitest"]));
  expect(names).not.toEqual(expect.arrayContaining(["@playwright/test"]));
  // Binaries stay where they are installed.
  expect(names.filter((name) => /linux|darwin|win32/.test(name))).toEqual([]);
  expect(packages.filter(({ text }) => text.trim() === "")).toEqual([]);
});

test("files tell of which packages they are, ours of none", () => {
  const files = [
    "components/exported/main.tsx",
    "node_modules/react/cjs/react.production.js",
    "node_modules/react/index.js",
    "node_modules/@tanstack/react-virtual/dist/index.js",
  ];
  expect(packagesOf(files).map(({ name }) => name)).toEqual(["@tanstack/react-virtual", "react"]);
});

test("a licence stands once, behind all that it holds for and whose it is", () => {
  const mit = (holder: string, title = "MIT License") =>
    `${title}\n\n${holder}\n\nPermission is hereby granted.\n`;
  const notices = formatNotices([
    { name: "a", version: "1.0.0", text: mit("Copyright (c) 2020 Ada") },
    { name: "b", version: "", text: mit("Copyright 2021 Grace\r", "The MIT License (MIT)") },
    { name: "c", version: "3.1.0", text: "Redistribution is permitted.\nThe above copyright notice stays." },
  ]);
  const [permission, redistribution, ...more] = notices.split(/\n+-{80}\n+/);
  expect(permission).toBe(
    "a 1.0.0, b\n\nCopyright (c) 2020 Ada\nCopyright 2021 Grace\n\nPermission is hereby granted.",
  );
  expect(redistribution).toBe("c 3.1.0\n\nRedistribution is permitted.\nThe above copyright notice stays.");
  expect(more).toEqual([]);
});
