"use client";

import { earlyScript } from "@/lib/client/connection/early-script";
import { firstRequests } from "./first-requests";

/**
 * In the head of a session's document: asks for what its page begins with, before the page's code is there. It is the
 * server's alone. A page that is opened from another one has no use for it, and asks by itself.
 */
export function EarlyRequestsScript({ address, nonce }: { address: string; nonce: string | undefined }) {
  const requests = typeof window === "undefined" ? firstRequests(address) : null;
  const script = requests === null ? "" : earlyScript(requests);
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
