import { Presentation } from "lucide-react";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import { useIsGuest } from "@/lib/client/connection/token";
import { useKeys } from "@/lib/client/key-registry";
import { formatCount } from "@/lib/format/format";
import type { Follower, Presenting } from "@/lib/wire/presence";
import type { FollowState } from "./follow-state";
import { type PresentedPage, usePresent } from "./use-present";

/** The maximum number of followers that are named. */
const MAX_NAMED = 4;

/**
 * Above a session that is presented: by this window, with its followers; or by another, with the buttons to follow it
 * or not.
 */
export function PresentBar({ state, page }: { state: FollowState; page: PresentedPage }) {
  const { role, presenting } = usePresent(state, page);
  const isGuest = useIsGuest();
  const toggle = () => (role === "presents" ? state.end() : state.present());
  useKeys([
    {
      keys: ["P"],
      label: role === "presents" ? "stop presenting" : "present: others follow where you are",
      group: "Copy and share",
      when: () => !isGuest,
      run: toggle,
    },
    {
      keys: ["r"],
      label: "follow whoever presents again",
      group: "Move",
      when: () => role === "left",
      run: () => state.rejoin(),
    },
  ]);
  if (role === "presents")
    return (
      <Bar label="Presenting" action={<Button onClick={toggle}>Stop presenting</Button>}>
        <span className="font-semibold text-fg">Presenting</span>
        <Followers of={presenting?.followers ?? null} />
      </Bar>
    );
  if (role === "follows")
    return (
      <Bar label="Following" action={<Button onClick={() => state.leave()}>Leave</Button>}>
        <span className="font-semibold text-fg">Following</span>
        {isGuest ? "the person who shared this" : "your other window"}
        <span className="text-fg-3 max-sm:hidden">· scroll or press a key to stop following</span>
      </Bar>
    );
  if (role === "left")
    return (
      <Bar
        label="Following"
        action={
          <Button onClick={() => state.rejoin()}>
            Follow again <Kbd>r</Kbd>
          </Button>
        }
      >
        {isGuest
          ? "The person who shared this is presenting it"
          : "Another window is presenting this session"}
        <span className="text-fg-3 max-sm:hidden">· you stopped following</span>
      </Bar>
    );
  return null;
}

function Bar({ label, action, children }: { label: string; action: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      data-keeps-following=""
      className="flex min-w-0 items-center gap-2 border-b border-line bg-bg px-3 py-0.5 text-11/4 text-fg-2 print:hidden"
    >
      <Icon of={Presentation} small className="flex-none text-accent" />
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-1">{children}</p>
      {action}
    </section>
  );
}

function Followers({ of: followers }: { of: Presenting["followers"] }) {
  if (!followers || followers.count === 0) return <span>· nobody follows yet</span>;
  const { count, first } = followers;
  const named = first.slice(0, MAX_NAMED);
  return (
    <span className="min-w-0 [overflow-wrap:anywhere]">
      · {formatCount(count)} {count === 1 ? "follows" : "follow"}:{" "}
      {named.map((follower, index) => (
        <span key={follower.guest ?? `own ${index}`}>
          {index > 0 && ", "}
          <FollowerName follower={follower} />
        </span>
      ))}
      {count > named.length && ` and ${formatCount(count - named.length)} more`}
    </span>
  );
}

/** A guest's name is not verified: it is never shown alone. */
function FollowerName({ follower: { guest, name } }: { follower: Follower }) {
  if (guest === null) return "another window of yours";
  if (name === null) return `guest ${guest}`;
  return (
    <>
      <bdi>
        <VisibleText text={name} />
      </bdi>{" "}
      (guest {guest})
    </>
  );
}
