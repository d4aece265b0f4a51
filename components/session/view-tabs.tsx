import { Segmented } from "@/components/ui/segmented";

const VIEWS = [
  { value: "thread", label: "Thread" },
  { value: "graph", label: "Graph" },
] as const;
export type View = (typeof VIEWS)[number]["value"];

/** How a session is shown. */
export function ViewTabs({ view, onView }: { view: View; onView: (view: View) => void }) {
  return <Segmented label="View" choices={VIEWS} value={view} onChange={onView} className="max-sm:hidden" />;
}
