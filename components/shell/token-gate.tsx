"use client";

import { type ReactNode, useLayoutEffect } from "react";
import { takeTokenFromAddress, useTokenState } from "@/lib/client/token";
import { NoToken } from "./no-token";

/**
 * Lets the page through once a token is kept in this browser. The server renders nothing but this
 * gate, closed: no page has content, or inline styles, in its HTML.
 */
export function TokenGate({ children }: { children: ReactNode }) {
  // Before paint, so that the token never stays in an address that someone copies.
  useLayoutEffect(takeTokenFromAddress, []);
  const state = useTokenState();
  if (state.kind === "opening") return null;
  if (state.kind === "held") return children;
  return <NoToken rejected={state.kind === "rejected"} />;
}
