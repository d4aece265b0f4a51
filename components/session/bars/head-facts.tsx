import { clsx } from "clsx";
import { GitBranch, X } from "lucide-react";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { costLines } from "@/components/session/about/session-facts";
import { Icon } from "@/components/ui/icon";
import {
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatModel,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { totalTokens } from "@/lib/wire/library";
import { failedCalls } from "@/lib/wire/library-columns";
import type { SessionDetail } from "@/lib/wire/session";

/** What the head of a session says of it. */
type Fact = {
  name: string;
  /** As it is read out. */
  said: string;
  shown: ReactNode;
  title?: string;
  className?: string;
};

/**
 * The facts of a session beside its title. Where there is no room for all, whole facts wrap out of a box of one line: the
 * row is reversed, so that tokens and errors, which stand last, come first and stay. They are read out in the order in
 * which they are seen.
 */
export function HeadFacts({ session }: { session: SessionDetail }) {
  const facts = factsOf(session);
  if (facts.length === 0) return null;
  return (
    <>
      <span className="sr-only max-sm:hidden">{facts.map(({ said }) => said).join(", ")}</span>
      <div
        aria-hidden="true"
        className="flex h-[1lh] min-w-0 flex-[0_1_auto] flex-row-reverse flex-wrap items-center justify-end gap-x-3 overflow-hidden text-12 text-fg-2 tabular-nums max-sm:hidden"
      >
        {/* Of no width: behind it a fact that is wider than the box wraps, too. */}
        <span className="-ml-3 h-[1lh]" />
        {facts.toReversed().map(({ name, shown, title, className }) => (
          <span
            key={name}
            title={title}
            className={clsx("inline-flex items-center gap-1 whitespace-nowrap", className)}
          >
            {shown}
          </span>
        ))}
      </div>
    </>
  );
}

/** In the order in which they stand. */
function factsOf(session: SessionDetail): Fact[] {
  const { gitBranch, models, startedAtMs, lastActiveAtMs, tokens, counts } = session;
  const [model, ...others] = models;
  const errors = failedCalls(counts);
  const cost = costOf(session);
  const shared = session.shared ? totalTokens(session.shared.usage) : 0;
  const own = tokens !== null && shared > 0 ? `· ${formatCompact(tokens - shared)} own` : null;
  const lasted = startedAtMs !== null && lastActiveAtMs !== null ? lastActiveAtMs - startedAtMs : null;
  const facts: (Fact | false | null | "" | undefined)[] = [
    gitBranch && {
      name: "branch",
      said: `branch ${labelHidden(gitBranch)}`,
      title: labelHidden(gitBranch),
      className: "max-w-full",
      shown: (
        <>
          <Icon of={GitBranch} small />
          <span className="max-w-40 truncate font-mono">
            <VisibleText text={gitBranch} />
          </span>
        </>
      ),
    },
    model && {
      ...textFact(
        "model",
        [formatModel(model), ...(others.length > 0 ? [`+${others.length}`] : [])].join(" "),
      ),
      title: labelHidden(models.join(", ")),
    },
    lasted !== null && lasted > 0 && textFact("duration", formatDuration(lasted)),
    cost && { ...textFact("cost", cost), title: labelHidden(costWords(session)), className: "max-lg:hidden" },
    tokens !== null &&
      tokens > 0 && {
        name: "tokens",
        said: [formatTokens(tokens), own].filter(Boolean).join(" "),
        title: [tokenWords(tokens, shared), ...tierWords(session.serviceTiers)].join("\n"),
        shown: (
          <>
            {formatTokens(tokens)}
            {own && <span className="text-fg-3">{own}</span>}
          </>
        ),
      },
    errors > 0 && {
      name: "errors",
      said: formatPlural(errors, "tool error"),
      title: formatPlural(errors, "tool error"),
      className: "text-err",
      shown: (
        <>
          <Icon of={X} small />
          {formatCount(errors)}
        </>
      ),
    },
    counts.unreadable > 0 && {
      ...textFact("unreadable", `${formatCount(counts.unreadable)} unreadable`),
      className: "text-warn",
    },
  ];
  return facts.filter((fact) => typeof fact === "object" && fact !== null);
}

function textFact(name: string, text: string): Fact {
  return { name, said: text, shown: text };
}

/** `$0.98`, or null where the log has no usage. */
export function costOf({ tokens, cost }: SessionDetail): string | null {
  return tokens && cost ? formatCost(cost.microUsd, cost.unpricedTokens) : null;
}

/** What a session would have cost, in full: where its figure comes from, and what the client says. */
function costWords(session: SessionDetail): string {
  return costLines(session)
    .map(({ name, amount, about }) => `${name}: ${amount}. ${about}.`)
    .join("\n");
}

function tokenWords(tokens: number, shared: number): string {
  const all = `${formatCount(tokens)} tokens, each message once, agents included`;
  if (shared === 0) return all;
  return `${all}; ${formatCount(shared)} of them in messages shared with other sessions`;
}

/** Which service tiers answered, where one is not the usual. */
function tierWords(tiers: SessionDetail["serviceTiers"]): string[] {
  const names = Object.keys(tiers);
  if (names.every((name) => name === "standard")) return [];
  return names.map((name) => `${formatPlural(tiers[name] ?? 0, "message")} of service tier ${name}`);
}
