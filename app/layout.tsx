import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { EarlyRequestsScript } from "@/components/session/early-requests";
import { withBasePath } from "@/lib/client/address/base-path";
import { THEME_SCRIPT } from "@/lib/client/theme-script";
import { ADDRESS_HEADER } from "@/lib/wire/page";
import { Providers } from "./providers";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Backscroll", template: "%s · Backscroll" },
  description: "Read, watch and share Claude Code sessions.",
  referrer: "no-referrer",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "dark light" };

/**
 * A shell without data. Every page is rendered per request, since only then it gets the content security policy's
 * nonce.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection();
  const sent = await headers();
  const policy = sent.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  return (
    <html
      lang="en"
      data-base-path={process.env.BACKSCROLL_BASE_PATH}
      data-build={process.env.BACKSCROLL_BUILD}
      suppressHydrationWarning
    >
      <head>
        {/* Not in the metadata: those may come after the page, and until then a browser asks for /favicon.ico. */}
        <link rel="icon" type="image/svg+xml" href={withBasePath("/favicon.svg")} />
        <link rel="manifest" href={withBasePath("/manifest.webmanifest")} />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        <EarlyRequestsScript address={sent.get(ADDRESS_HEADER) ?? "/"} nonce={nonce} />
      </head>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
