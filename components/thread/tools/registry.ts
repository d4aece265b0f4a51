import type { ComponentType } from "react";
import type { ToolViewProps } from "./tool-view-props";

/** The view of each tool by its name in the log. A tool without one is shown by `RawToolView`. */
export const TOOL_VIEWS: ReadonlyMap<string, ComponentType<ToolViewProps>> = new Map();
