const root = import.meta.dirname;

/** @type {import("next").NextConfig} */
export default {
  output: "standalone",
  distDir: process.env.BACKSCROLL_DIST_DIR ?? ".next",
  // Named, or a lockfile in a folder above would be taken for the root and the paths in the package move.
  outputFileTracingRoot: root,
  // What no server here loads, 2.6 MB of the package: Next's renderer for experiments with React, that of its older router
  // with what only that needs of React, what reloads pages in development, and what Next's own commands need.
  outputFileTracingExcludes: {
    "**": [
      "node_modules/next/dist/compiled/next-server/*-experimental.runtime.*",
      "node_modules/next/dist/compiled/next-server/pages*.runtime.*",
      "node_modules/react-dom/cjs/react-dom-server*",
      "node_modules/next/dist/server/dev/{hot-reloader-turbopack,hot-reloader-webpack,hot-reloader-rspack,turbopack-utils,on-demand-entry-handler,middleware-webpack}.*",
      "node_modules/next/dist/compiled/{conf,fast-jwt,tar,@mswjs,watchpack}/**",
    ],
  },
  turbopack: { root },
  // `npm run check` does, tests included, and a build must do without the packages that only tests need.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Loopback has bandwidth to spare, and compressing the first scripts costs a third of opening a page.
  compress: false,
  agentRules: false,
  // Next answers such a redirect itself, before the gate is asked.
  skipTrailingSlashRedirect: true,
  experimental: {
    // Loading every page and route takes 0.15 s of each start, in which no log would be listed.
    preloadEntriesOnStart: false,
  },
};
