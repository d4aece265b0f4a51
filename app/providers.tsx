"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { PageDialogs } from "@/components/shell/page-dialogs";
import { TokenGate } from "@/components/shell/token-gate";
import { Toaster } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
// Before the router listens, which it does once the page is drawn.
import "@/lib/client/address/before-router";
import { makeQueryClient } from "@/lib/client/query-client";

/** What wraps every page: query cache, URL state, the token gate, toasts, and global dialogs. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>
        <TooltipProvider>
          <TokenGate>
            {children}
            <PageDialogs />
          </TokenGate>
          <Toaster />
        </TooltipProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}
