import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";
import { whenThere } from "@/lib/client/connection/when-there";
import { Listeners } from "@/lib/client/listeners";
import { withBasePath } from "./base-path";

let underWay: Promise<unknown> | null = null;

/** Keeps a write to the address in mind until it is done: what is typed quickly is written a moment later. */
export function noteWrite<Write extends Promise<unknown>>(write: Write): Write {
  underWay = write;
  afterWrites(() => {
    if (underWay === write) underWay = null;
  });
  return write;
}

/** Calls `run` at once, or as soon as the address says what it was told to. */
export function afterWrites(run: () => void): void {
  if (underWay)
    underWay.then(
      () => run(),
      () => run(),
    );
  else run();
}

/** Whether the address does not say yet what it was told to. */
export function isWriting(): boolean {
  return underWay !== null;
}

/**
 * Opens a page, behind what is still to be written to the address of this one: a write to an address
 * ends a navigation that is under way.
 */
export function useOpenPage(): (href: string) => void {
  const router = useRouter();
  return (href) => afterWrites(() => whenThere(() => router.push(withBasePath(href))));
}

/** A link to what is on screen, and what tells when it is another. */
type ViewLink = { href: () => string; subscribe: (listener: () => void) => () => void };

let viewLink: ViewLink | null = null;
/** Told when another page makes the link. */
const followers = new Listeners();

/**
 * Has links to what is on screen made by the page that knows the reader's place in it.
 * @returns ends it
 */
export function offerViewLink(link: ViewLink): () => void {
  setViewLink(link);
  return () => {
    if (viewLink === link) setViewLink(null);
  };
}

function setViewLink(link: ViewLink | null): void {
  viewLink = link;
  followers.tell();
}

/** The address of what is on screen, with the place where the reader is, as soon as that is known. */
export function useViewLink(): string {
  return useSyncExternalStore(followViewLink, hrefOfView, () => "");
}

function hrefOfView(): string {
  return viewLink?.href() ?? window.location.href;
}

function followViewLink(listener: () => void): () => void {
  let leave = viewLink?.subscribe(listener);
  const unfollow = followers.add(() => {
    leave?.();
    leave = viewLink?.subscribe(listener);
    listener();
  });
  return () => {
    leave?.();
    unfollow();
  };
}
