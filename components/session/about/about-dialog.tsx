"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { Dialog } from "@/components/ui/dialog";
import type { SessionDetail } from "@/lib/wire/session";
import { ExportList } from "./export-list";
import { ExtraList } from "./extra-list";
import { RelatedList } from "./related-list";

/** What belongs to a session beside its thread: other sessions, files kept for it, copies to take away. */
export function AboutDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      title="About this session"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <Link
          prefetch={false}
          className="text-accent hover:underline"
          href={`/doctor?session=${encodeURIComponent(session.id)}`}
        >
          What its records are made of
        </Link>
      }
    >
      <Section title="Shared history">
        <RelatedList id={session.id} />
      </Section>
      <Section title="Kept beside it">
        <ExtraList id={session.id} />
      </Section>
      <Section title="Take a copy">
        <ExportList id={session.id} />
      </Section>
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line last:border-b-0">
      <h3 className="bg-panel px-4 py-1 text-11 font-semibold text-fg-2">{title}</h3>
      {children}
    </section>
  );
}
