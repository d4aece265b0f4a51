import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { useRef, useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Progress } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatBytesOf, formatCount, formatPlural } from "@/lib/format/format";
import type { SecretsReport } from "@/lib/wire/secrets";
import { FindingItems, Section } from "./finding-list";

const MAX_PLACES = 20;
const MAX_SESSIONS = 100;

/** The secrets in one session or in all, by kind and session. The search starts on request: it reads every line. */
export function Secrets({ session }: { session: string | null }) {
  const [isAsked, setAsked] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const [progress, setProgress] = useState({ bytesDone: 0, bytesTotal: 0 });
  const { data, error } = useQuery({
    queryKey: ["secrets", session],
    queryFn: ({ signal }) => api.secrets(session, { signal, onScan: setProgress }),
    enabled: isAsked,
  });
  return (
    <Section title="Secrets" count={data ? countSecrets(data) : undefined}>
      {/* It takes over the focus of the button, which is removed when pressed. */}
      <div ref={place} tabIndex={-1} className="focus:outline-none">
        {data ? (
          <Found report={data} />
        ) : error ? (
          <p role="alert" className="px-3 text-12 text-err">
            {error.message}
          </p>
        ) : isAsked ? (
          <div role="status" className="flex max-w-[440px] flex-col gap-2 px-3 text-12 text-fg-2">
            <span className="tabular-nums">
              Looking for secrets: {formatBytesOf(progress.bytesDone, progress.bytesTotal)}
            </span>
            <Progress
              share={progress.bytesTotal === 0 ? 0 : progress.bytesDone / progress.bytesTotal}
              label="Bytes read"
            />
          </div>
        ) : (
          <p className="flex flex-wrap items-center gap-2 px-3 text-12 text-fg-2">
            <Button
              onClick={() => {
                setAsked(true);
                place.current?.focus({ preventScroll: true });
              }}
            >
              Look for secrets
            </Button>
            Tokens, keys, passwords and personal data in the logs. Nothing leaves this machine.
          </p>
        )}
      </div>
    </Section>
  );
}

function Found({ report: { session, kinds, sessions } }: { report: SecretsReport }) {
  if (kinds.length === 0)
    return (
      <p className="flex items-center gap-2 px-3 text-12 text-fg-2">
        <Icon of={Check} small className="text-run" />
        No secrets were found. Those of no known form are not found.
      </p>
    );
  const shown = kinds.map((kind) => ({ ...kind, places: kind.places.slice(0, MAX_PLACES) }));
  return (
    <>
      <FindingItems findings={shown} />
      {session || sessions.length === 0 ? null : (
        <ul className="flex flex-col gap-1 px-3 py-2 text-12" aria-label="Sessions with secrets">
          {sessions.slice(0, MAX_SESSIONS).map(({ id, title, count }) => (
            <li key={id} className="flex min-w-0 gap-2">
              <Link
                href={`/doctor?session=${encodeURIComponent(id)}`}
                prefetch={false}
                className="min-w-0 truncate text-accent hover:underline"
              >
                <VisibleText text={title || id} />
              </Link>
              <span className="flex-none text-fg-3 tabular-nums">{formatPlural(count, "secret")}</span>
            </li>
          ))}
          {sessions.length > MAX_SESSIONS ? (
            <li className="text-fg-3">and {formatCount(sessions.length - MAX_SESSIONS)} more</li>
          ) : null}
        </ul>
      )}
    </>
  );
}

function countSecrets({ kinds }: SecretsReport): number {
  return kinds.reduce((sum, { personal, count }) => sum + (personal ? 0 : count), 0);
}
