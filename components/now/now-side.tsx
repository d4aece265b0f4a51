import { Circle, CircleQuestionMark, Lock, TextAlignStart } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type NotifyWishes, useNotifyWishes, wishNotification } from "@/components/live/notify";
import { CheckField } from "@/components/ui/check-field";
import { Elapsed } from "@/components/ui/elapsed";
import { Icon } from "@/components/ui/icon";
import { PlaceLine, placeClass } from "@/components/ui/place-line";
import { LiveDot } from "@/components/ui/running-ring";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/format/format-count";
import { formatElapsed } from "@/lib/format/format-duration";
import { formatClock } from "@/lib/format/format-time";
import type { NowResponse } from "@/lib/wire/live";
import { nowHref } from "./now-href";

/** Beside the board: where else to go, who waits, what has ended, and whether the browser tells. */
export function NowSide({ board }: { board: NowResponse | undefined }) {
  const wishes = useNotifyWishes();
  const tiles = board?.tiles ?? [];
  const waiting = tiles.filter(({ live }) => live.state === "waiting");
  const wish = (name: keyof NotifyWishes) => async (on: boolean) => {
    if (!(await wishNotification(name, on))) toast("The browser does not allow notifications", "err");
  };
  return (
    <aside
      aria-label="Sessions"
      className="flex flex-col overflow-hidden border-r border-line-2 bg-panel max-md:hidden"
    >
      <nav aria-label="Places" className="min-h-0 flex-1 overflow-auto py-1">
        <Place
          href="/now"
          mark={tiles.length > 0 ? <LiveDot /> : <Icon of={Circle} small className="text-spine" />}
          note={formatCount(tiles.length)}
          current
        >
          Running now
        </Place>
        <Place href="/" mark={<Icon of={TextAlignStart} />}>
          All sessions
        </Place>
        {waiting.length > 0 && <Heading>Waiting for you</Heading>}
        {waiting.map((tile) => (
          <Place
            key={tile.summary.id}
            href={nowHref(tile)}
            mark={
              <Icon
                of={tile.live.doing?.kind === "question" ? CircleQuestionMark : Lock}
                small
                className="text-warn"
              />
            }
            note={<Elapsed sinceMs={tile.live.sinceMs} format={formatElapsed} />}
          >
            {tile.summary.title}
          </Place>
        ))}
        {(board?.ended.length ?? 0) > 0 && <Heading>Ended in the last hour</Heading>}
        {board?.ended.map(({ id, title, lastActiveAtMs }) => (
          <Place
            key={id}
            href={`/sessions/${encodeURIComponent(id)}`}
            note={lastActiveAtMs === null ? "" : formatClock(lastActiveAtMs)}
          >
            {title}
          </Place>
        ))}
      </nav>
      <div className="flex flex-col gap-1 border-t border-line px-3 py-2 text-12 text-fg-2">
        <CheckField checked={wishes.needs} onChange={(on) => void wish("needs")(on)}>
          Notify when one needs me
        </CheckField>
        <CheckField checked={wishes.ends} onChange={(on) => void wish("ends")(on)}>
          Notify when one ends
        </CheckField>
      </div>
    </aside>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="px-3 pt-3 pb-1 text-11 text-fg-3">{children}</h2>;
}

function Place({
  href,
  mark,
  note,
  current,
  children,
}: {
  href: string;
  mark?: ReactNode;
  note?: ReactNode;
  current?: boolean;
  children: ReactNode;
}) {
  return (
    <Link href={href} aria-current={current ? "page" : undefined} className={placeClass(current === true)}>
      <PlaceLine mark={mark} note={note}>
        {children}
      </PlaceLine>
    </Link>
  );
}
