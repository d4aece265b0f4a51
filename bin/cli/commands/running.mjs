import { formatElapsed, formatPlural, oneLine } from "../format.mjs";
import { inLine, print } from "../print.mjs";
import { localUrl } from "../running-server.mjs";
import { ask } from "./ask.mjs";
import { waitForIndex } from "./index-logs.mjs";

/** @typedef {import("@/lib/wire/live").NowResponse} NowResponse */
/** @typedef {import("@/lib/wire/live").NowTile} NowTile */

/**
 * `backscroll running`: the sessions that run or wait for their person, those that wait first, with what each does or asks.
 * With `json` it is the API's own object, which also has those that are open and idle and those that ended within the hour.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ json: boolean }} options
 */
export async function printRunning(server, { json }) {
  await waitForIndex(server);
  /** @type {NowResponse} */
  const now = await (await ask(server, "now")).json();
  if (json) return print(`${JSON.stringify(now)}\n`);
  // A server that was started for this command ends with it.
  print(formatRunning(now, Date.now(), "pid" in server ? localUrl(server) : ""));
}

/**
 * Of each session its title, how it stands, what it asks, its prompt, where it is at work, and its address; at the end how
 * many there are.
 *
 * @param {Pick<NowResponse, "tiles" | "open">} now
 * @param {number} nowMs
 * @param {string} url of the server that is still there afterwards, or empty: then no address would lead anywhere
 */
export function formatRunning({ tiles, open }, nowMs, url) {
  const parts = tiles.map((tile) => formatTile(tile, nowMs, url));
  const count = (/** @type {NowTile["live"]["state"]} */ state) =>
    tiles.filter(({ live }) => live.state === state).length;
  const [waiting, running, stopped] = [count("waiting"), count("running"), count("interrupted")];
  const told = [
    ...(waiting > 0 ? [`${formatPlural(waiting, "session waits", "sessions wait")} for you`] : []),
    ...(running > 0 ? [`${running} running`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
    ...(open.length > 0 ? [`${open.length} open with nothing running`] : []),
  ];
  return `${[...parts, told.join(", ") || "Nothing is running"].join("\n\n")}.\n`;
}

/**
 * @param {NowTile} tile
 * @param {number} nowMs
 * @param {string} url
 */
function formatTile({ summary, project, live, turn, agents, questions, ...resume }, nowMs, url) {
  const { id, title, gitBranch } = summary;
  const { doing } = live;
  const sinceMs = doing?.sinceMs ?? live.sinceMs;
  const state = [stateOf(live), ...(sinceMs === null ? [] : [`since ${formatElapsed(nowMs - sinceMs)}`])];
  // A question is told whole below.
  const what = questions === null ? oneLine([doing?.name ?? "", doing?.subject ?? ""].join(" ")) : "";
  const command = resume.resumeProblem?.command ?? resume.resumeCommand;
  return [
    [title, gitBranch ?? ""].map(oneLine).filter(Boolean).join("  ") || "Untitled session",
    `  ${[state.join(" "), what].filter(Boolean).join(": ")}`,
    ...(agents.length > 0 ? [`  ${formatPlural(agents.length, "agent")} at work`] : []),
    ...(questions ?? []).flatMap(({ question, options }) => [
      `  ${oneLine(question)}`,
      ...options.map(({ label }) => `    ${oneLine(label)}`),
    ]),
    ...(turn === null || turn.prompt === title ? [] : [`  turn ${turn.number}: ${oneLine(turn.prompt)}`]),
    `  ${id.slice(0, 8)} in ${oneLine(project)}`,
    ...(live.gone && command !== null ? [`  ${inLine(command)}`] : []),
    ...(url === "" ? [] : [`  ${url}/sessions/${id}`]),
  ].join("\n");
}

/** @satisfies {Record<import("@/lib/wire/live").Doing["kind"], string>} */
const WORDS = {
  tool: "running",
  thinking: "thinking",
  permission: "asks for permission",
  question: "asks a question",
  agents: "waiting for agents",
  answered: "answered",
  menu: "a menu is open",
  shells: "commands in the background",
};

/**
 * As the page says it.
 *
 * @param {NowTile["live"]} live
 */
function stateOf({ state, doing, gone }) {
  if (state === "interrupted")
    return gone && doing?.kind === "thinking" ? "stopped while thinking" : "stopped";
  // The log alone does not show whether a call is running or its person is asked about it.
  if (state === "running" && doing?.mayAsk) return "running or waiting for you";
  if (doing) return WORDS[doing.kind];
  return state === "waiting" ? "waiting for you" : state;
}
