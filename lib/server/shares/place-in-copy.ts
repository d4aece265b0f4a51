import { isRecordId } from "@/lib/wire/ids";
import type { Position } from "@/lib/wire/presence";
import type { AskCopies } from "./copy-task";
import type { ShareRecord } from "./share-file";

const PARAMETER = /(?<=[?&])([^=&#]*)=([^&#]+)/g;

/**
 * The part of the owner's address after the session's path, converted for a share's guests: with the records of its
 * copy, which must be open. The path of a file and the searched words may contain what is redacted there.
 */
export async function placeInCopy(
  ask: AskCopies,
  { id, redact, without }: Pick<ShareRecord, "id" | "redact" | "without">,
  owners: string,
): Promise<string> {
  const own = placeInOneSession(owners);
  const place = without.includes("agents") ? placeWithoutAgents(own) : own;
  const text = await translatedPlace(ask, id, place);
  if (!redact) return text;
  const parts: string[] = [];
  let copied = 0;
  for (const { 0: parameter, index, 1: name } of text.matchAll(PARAMETER)) {
    const [value = ""] = [...new URLSearchParams(parameter).values()];
    const redacted = (await ask({ kind: "redact", id, text: value })).text;
    if (redacted === value) continue;
    parts.push(text.slice(copied, index), `${name}=${encodeURIComponent(redacted)}`);
    copied = index + parameter.length;
  }
  return parts.join("") + text.slice(copied);
}

/** Parameters that hold a text: what looks like the place of a record is none there. */
const TEXTS = /(?<=[?&])(?:file|q)=[^&#]*/g;

/** In the place of each of these texts while the rest is translated: no address has it. */
const LEFT_OUT = "\0";

async function translatedPlace(ask: AskCopies, id: string, place: string): Promise<string> {
  const texts = place.match(TEXTS) ?? [];
  const { text } = await ask({ kind: "translate", id, text: place.replaceAll(TEXTS, LEFT_OUT) });
  return text.replaceAll(LEFT_OUT, () => texts.shift() ?? LEFT_OUT);
}

/** Parameters that say where an agent's thread is read, or where in the thread that is shown in the place of the main one. */
const OF_PANES = ["agent", "paneAt"];
const OF_THREAD = ["at", "y", "open"];

/** What says that the session is compared, and with what. */
const OF_COMPARISON = ["view", "left", "right", "look"];

/** Whether what is compared is all of one session: another has an id without a place. */
const comparesOneSession = (compared: readonly (string | null)[]) =>
  compared.every((side) => side === null || isRecordId(side));

/** The same part of an address without a comparison with another session, which the link neither opens nor names. */
function placeInOneSession(place: string): string {
  const [search = ""] = /^\?[^#]*/.exec(place) ?? [];
  const parameters = new URLSearchParams(search);
  if (comparesOneSession([...parameters.getAll("left"), ...parameters.getAll("right")])) return place;
  for (const name of OF_COMPARISON) parameters.delete(name);
  return withSearch(parameters, place.slice(search.length));
}

/** The same part of an address for readers who have no agents: the main thread, without panes of agents. */
function placeWithoutAgents(place: string): string {
  const [search = ""] = /^\?[^#]*/.exec(place) ?? [];
  const parameters = new URLSearchParams(search);
  const step = parameters.get("step");
  const names = [
    ...OF_PANES,
    ...(parameters.has("agent") ? OF_THREAD : []),
    ...(step === null || isOfMain(step) ? [] : ["step"]),
  ];
  const panes = parameters.get("panes");
  const kept = panesWithoutAgents(panes);
  if (kept === panes && !names.some((name) => parameters.has(name))) return place;
  for (const name of names) parameters.delete(name);
  if (kept === null) parameters.delete("panes");
  else parameters.set("panes", kept);
  return withSearch(parameters, place.slice(search.length));
}

function withSearch(parameters: URLSearchParams, rest: string): string {
  const search = parameters.toString();
  return (search && `?${search}`) + rest;
}

/** Whether the place of a record is in the main log. */
const isOfMain = (place: string) => place.startsWith("m~");

/** Panes as the address lists them, without agents and what is about their records. */
function panesWithoutAgents(panes: string | null): string | null {
  const isKept = (pane: string) => !pane.includes(":") || /^[a-z]+:m~/.test(pane);
  return panes?.split(",").filter(isKept).join(",") || null;
}

const NO_COMPARISON = { view: null, left: null, right: null, look: null };
const NO_FILE = { file: null, version: null, against: null, line: null };

/**
 * The owner's position, converted for a share's guests as their link's place is: with the records of its copy, which must
 * be open, and the path of a file as it stands there. Null while what is shown is not in it.
 */
export async function positionInCopy(
  ask: AskCopies,
  { id, redact, without }: Pick<ShareRecord, "id" | "redact" | "without">,
  owners: Position,
): Promise<Position | null> {
  const own = positionInOneSession(owners);
  const position = without.includes("agents") ? positionWithoutAgents(own) : own;
  if (!position) return null;
  const { text } = await ask({ kind: "translate", id, text: JSON.stringify(position) });
  const theirs = JSON.parse(text) as Position;
  // A path may look like the place of a record.
  const { file } = position.shown;
  const path = redact && file ? (await ask({ kind: "redact", id, text: file })).text : file;
  return { ...theirs, shown: { ...theirs.shown, file: path } };
}

function positionInOneSession(position: Position): Position {
  const { shown } = position;
  if (comparesOneSession([shown.left, shown.right])) return position;
  return { ...position, shown: { ...shown, ...NO_COMPARISON } };
}

/** For readers who have no agents: null while an agent's thread is all that is shown, and no file, which may be an agent's alone. */
function positionWithoutAgents(position: Position): Position | null {
  const { shown } = position;
  if (shown.agent !== null) return null;
  const step = shown.step && isOfMain(shown.step) ? shown.step : null;
  const panes = panesWithoutAgents(shown.panes);
  const { scrolled: place } = position;
  const scrolled = place?.change && isOfMain(place.change) ? place : null;
  return { ...position, shown: { ...shown, ...NO_FILE, step, panes }, scrolled, beside: [] };
}
