import type { SessionSummary } from "@/lib/wire/library";

/** What a live session is about or waits for; why another cannot be read. */
export function SecondLine({ session }: { session: SessionSummary }) {
  const { problem, state, firstPrompt, title } = session;
  if (problem) return <span className="text-err">{problem.message}</span>;
  if (state === "waiting") return <span className="text-warn">Waiting for you in its terminal</span>;
  return <span className="text-fg-2">{firstPrompt && firstPrompt !== title ? firstPrompt : "Running"}</span>;
}
