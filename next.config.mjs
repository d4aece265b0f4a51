/** @type {import("next").NextConfig} */
export default {
  output: "standalone",
  distDir: process.env.BACKSCROLL_DIST_DIR ?? ".next",
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  compress: true,
};
