import { VisibleText } from "@/components/content/text/visible-text";
import { useExtras, useExtraText } from "@/lib/client/use-extras";
import { formatBytes } from "@/lib/format/format-bytes";
import type { ExtraKind, SessionExtra } from "@/lib/wire/extras";
import type { SessionId } from "@/lib/wire/ids";
import { FoldItem } from "./fold-item";
import { Section } from "./section";
import { useDoctorUrl } from "./use-doctor";

const WORDS: Record<ExtraKind, string> = {
  plan: "plan",
  todos: "todos",
  task: "task",
  memory: "notes of the project",
  history: "typed prompts",
  "file-history": "file backup",
};

/** What else the client keeps of the session: plans, todos, backups. Each opens in place. */
export function ExtraList({ session }: { session: SessionId }) {
  const [{ extra: open }, setUrl] = useDoctorUrl();
  const { data } = useExtras(session);
  if (!data || data.extras.length === 0) return null;
  return (
    <Section title="Kept beside the session" count={data.extras.length}>
      <ul className="border-t border-line">
        {data.extras.map((extra) => (
          <Extra
            key={extra.id}
            session={session}
            extra={extra}
            open={open === extra.id}
            onToggle={() => void setUrl({ extra: open === extra.id ? null : extra.id })}
          />
        ))}
      </ul>
    </Section>
  );
}

function Extra({
  session,
  extra,
  open,
  onToggle,
}: {
  session: SessionId;
  extra: SessionExtra;
  open: boolean;
  onToggle: () => void;
}) {
  return (
    <FoldItem
      open={open}
      onToggle={onToggle}
      line={
        <>
          <span className="w-[130px] flex-none text-fg-2">{WORDS[extra.kind]}</span>
          <span className="min-w-0 flex-1 truncate font-mono" title={extra.name}>
            {extra.name}
          </span>
          <span className="flex-none text-fg-3 tabular-nums">{formatBytes(extra.bytes)}</span>
        </>
      }
    >
      <ExtraBody session={session} id={extra.id} />
    </FoldItem>
  );
}

function ExtraBody({ session, id }: { session: SessionId; id: string }) {
  const { data, error } = useExtraText(session, id);
  if (error) return <p className="px-9 py-2 text-12 text-err">{error.message}</p>;
  if (!data) return null;
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={data.name}
      className="max-h-[50vh] overflow-auto bg-panel px-9 py-2"
    >
      <pre className="font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={data.text.text} />
      </pre>
      {data.text.cut ? (
        <p className="text-11 text-fg-3">The first megabyte of {formatBytes(data.text.length)}.</p>
      ) : null}
    </div>
  );
}
