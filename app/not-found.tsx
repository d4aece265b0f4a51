"use client";

import { Compass } from "lucide-react";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";

export default function NotFound() {
  return (
    <main className="h-full">
      <h1 className="sr-only">Backscroll</h1>
      <EmptyState
        icon={Compass}
        title="Page not found"
        actions={
          <Link className="text-accent" href="/" prefetch={false}>
            All sessions
          </Link>
        }
      >
        The link may be incomplete.
      </EmptyState>
    </main>
  );
}
