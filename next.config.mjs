const root = import.meta.dirname;

/** @type {import("next").NextConfig} */
export default {
  output: "standalone",
  distDir: process.env.BACKSCROLL_DIST_DIR ?? ".next",
  // Named, or a lockfile in a folder above would be taken for the root and the paths in the package move.
  outputFileTracingRoot: root,
  // What no server here loads: Next's renderer for experiments with React (0.7 MB of the package), what reloads pages in
  // development, and React's renderer for browsers.
  outputFileTracingExcludes: {
    "**": [
      "node_modules/next/dist/compiled/next-server/*-experimental.runtime.*",
      "node_modules/next/dist/server/dev/hot-reloader-{turbopack,webpack,rspack}.*",
      "node_modules/react-dom/cjs/react-dom-server.browser.*",
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
