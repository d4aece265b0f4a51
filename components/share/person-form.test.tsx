// @vitest-environment page
import { act, type ReactNode } from "react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Toaster } from "@/components/ui/toast";
import { offerViewLink } from "@/lib/client/address/address-writes";
import { type DrawnPage, drawnPage, until } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { Share, ShareAddress } from "@/lib/wire/shares";
import { CreatedLink, type MadeLink, PersonForm } from "./person-form";
import { ShareList } from "./share-list";

const SESSION = "s1" as SessionId;
const HOUR_MS = 3_600_000;
const LOOPBACK: ShareAddress = { origin: "http://127.0.0.1:4747", kind: "loopback", encrypted: false };
const NETWORK: ShareAddress = { origin: "http://10.0.0.7:4747", kind: "network", encrypted: false };
const CREATED = { id: "one", token: "share~0123456789abcdef", path: "/sessions/y?at=m~1" };
const FINDINGS = {
  findings: [
    { name: "email 1", rule: "email", preview: "ca…" },
    { name: "github-token 1", rule: "github-token", preview: "ghp_…" },
  ],
  kinds: [
    { rule: "email", title: "e-mail address", personal: true, distinct: 1 },
    { rule: "github-token", title: "GitHub token", personal: false, distinct: 1 },
  ],
};

let shares: Share[] = [];
let addresses: ShareAddress[] = [];
/** The requests to the server that change something. */
let asked: { method: string; path: string; body: unknown }[] = [];
let page: DrawnPage;

beforeEach(() => {
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    if (method !== "GET")
      asked.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : null });
    if (method === "DELETE") {
      shares = shares.filter(({ id }) => !path.endsWith(`/${id}`));
      return new Response(null, { status: 204 });
    }
    const answer =
      method === "POST"
        ? { ...CREATED, expiresAtMs: Date.now() + HOUR_MS }
        : path.endsWith("/findings")
          ? FINDINGS
          : { shares, addresses };
    return new Response(JSON.stringify(answer));
  });
  shares = [];
  addresses = [LOOPBACK, NETWORK];
  asked = [];
  const stopLink = offerViewLink({
    href: () => "http://127.0.0.1:4747/sessions/s1?at=m~1k9&panes=agent~a1#x=1",
    subscribe: () => () => undefined,
  });
  // Callbacks run last first: the page is left before the link ends.
  onTestFinished(stopLink);
  page = drawnPage();
});

/** Draws what is given and waits for the first answers. */
async function draw(children: ReactNode): Promise<void> {
  await page.draw(
    <>
      {children}
      <Toaster />
    </>,
  );
  await page.settle();
}

const text = () => document.body.textContent ?? "";

/** Presses what is named so, and waits for what it asks of the server. */
async function press(name: string): Promise<void> {
  const found = [...document.querySelectorAll<HTMLElement>("button, label")].find((one) =>
    (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().startsWith(name),
  );
  if (!found) throw new Error(`nothing is named ${name}`);
  await act(async () => found.click());
  await page.settle();
}

it("a share is of this place, for an hour and redacted, unless something else is chosen", async () => {
  const made: MadeLink[] = [];
  await draw(<PersonForm sessionId={SESSION} onMade={(link) => made.push(link)} />);
  await press("Create link");
  expect(asked).toEqual([
    {
      method: "POST",
      path: "/api/shares",
      body: {
        sessionId: SESSION,
        expiresInMs: HOUR_MS,
        redact: true,
        without: [],
        comments: false,
        except: [],
        place: "?at=m~1k9&panes=agent~a1&detail=tools#x=1",
      },
    },
  ]);
  expect(made[0]).toMatchObject({ created: CREATED, address: LOOPBACK, isRedacted: true });
});

it("has room for the address before it is known, so that its button stays where it is", async () => {
  const { fetch } = globalThis;
  let answer: () => void = () => undefined;
  const asking = new Promise<void>((resolve) => (answer = resolve));
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (path.endsWith("/shares")) await asking;
    return fetch(path, init);
  });
  addresses = [LOOPBACK];
  await page.draw(<PersonForm sessionId={SESSION} onMade={() => undefined} />);
  const fields = () => [...document.querySelectorAll("fieldset")].map((one) => one.children.length);
  const before = fields();
  expect(text()).not.toContain(LOOPBACK.origin);
  answer();
  await until(() => expect(text()).toContain(LOOPBACK.origin));
  expect(fields()).toEqual(before);
  expect(document.querySelector(".invisible")).toBeNull();
});

it("exceptions and the duration are sent; without redaction there are no exceptions", async () => {
  await draw(<PersonForm sessionId={SESSION} onMade={() => undefined} />);
  await press("15 min");
  await press("e-mail address");
  await press("Create link");
  await press("Redact secrets");
  expect(text()).toContain("every secret and name");
  await press("Create link");
  expect(asked.map(({ body }) => body)).toMatchObject([
    { expiresInMs: HOUR_MS / 4, redact: true, except: ["email 1"] },
    { expiresInMs: HOUR_MS / 4, redact: false, except: [] },
  ]);
});

it("what is not ticked is left out, which is said of the link", async () => {
  const made: MadeLink[] = [];
  await draw(<PersonForm sessionId={SESSION} onMade={(link) => made.push(link)} />);
  await press("Agents");
  await press("Thinking");
  expect(text()).toContain("only their calls and what they report");
  await press("Create link");
  await press("Agents");
  await press("Create link");
  expect(asked.map(({ body }) => body)).toMatchObject([
    { without: ["thinking", "agents"] },
    { without: ["thinking"] },
  ]);
  expect(made.map(({ without }) => without)).toEqual([["thinking", "agents"], ["thinking"]]);
  await page.draw(<CreatedLink {...(made[0] as MadeLink)} />);
  expect(text()).toContain("without thinking or agents");
});

it("an unencrypted address has a warning; a single address is no choice", async () => {
  await draw(<PersonForm sessionId={SESSION} onMade={() => undefined} />);
  expect(text()).not.toContain("Not encrypted");
  await press(NETWORK.origin);
  expect(text()).toContain("Not encrypted");
  addresses = [LOOPBACK];
  await act(() => page.client.invalidateQueries());
  await page.settle();
  expect(document.querySelectorAll("input[type=radio]")).toHaveLength(0);
  expect(text()).toContain("through an SSH tunnel");
});

it("the link is shown with dots for its token, which the QR code alone holds", async () => {
  const created = { ...CREATED, expiresAtMs: Date.now() + HOUR_MS };
  await draw(<CreatedLink created={created} address={LOOPBACK} isRedacted without={[]} />);
  expect(document.querySelector("output")?.textContent).toBe(
    "http://127.0.0.1:4747/sessions/y?at=m~1#t=••••••••",
  );
  expect(document.body.innerHTML).not.toContain(CREATED.token);
  expect(document.querySelector("svg[role=img]")?.getAttribute("aria-label")).toBe("QR code of the link");
  expect(text()).toContain("ssh -N -L 4747:127.0.0.1:4747");
});

const NOT_OPENED = { openings: 0, lastOpenedAtMs: null, lastUsedAtMs: null };

it("shares are listed with their use, and a revoked one disappears with a message", async () => {
  const share: Share = {
    ...{
      id: "one",
      sessionId: SESSION,
      title: "Fix the cart",
      redacted: false,
      without: [],
      comments: false,
      createdAtMs: Date.now(),
    },
    ...{ expiresAtMs: Date.now() + HOUR_MS, lastUsedAtMs: Date.now(), readers: 2 },
    ...{ openings: 3, lastOpenedAtMs: Date.now() },
  };
  shares = [
    share,
    {
      ...{ ...share, id: "two", title: null, redacted: true, without: ["agents"] },
      ...{ openings: 0, lastOpenedAtMs: null, lastUsedAtMs: null, readers: 0 },
    },
  ];
  await draw(<ShareList />);
  const [first, second] = [...document.querySelectorAll("li")].map((item) => item.textContent);
  expect(first).toMatch(
    /^Fix the cart.*made .*expires in .*not redacted.*opened 3 times, last .*2 readers now/,
  );
  expect(second).toMatch(/^Untitled session.*secrets redacted.*without agents.*not opened yet/);
  await press("Revoke Fix the cart");
  expect(asked).toEqual([{ method: "DELETE", path: "/api/shares/one", body: null }]);
  expect(document.querySelectorAll("li")).toHaveLength(1);
  expect(text()).toContain("The link has ended, also for 2 readers: Fix the cart");
  await press("Revoke Untitled session");
  expect(text()).toContain("Nothing is shared");
});

it("a link says how often it was opened, and when it was last read, as far as that is kept", async () => {
  const share: Share = {
    ...{ id: "one", sessionId: SESSION, title: "Fix the cart", redacted: true, without: [], comments: false },
    ...{ createdAtMs: Date.now() - HOUR_MS, expiresAtMs: Date.now() + HOUR_MS, readers: 0 },
    ...{ openings: 1, lastOpenedAtMs: Date.now() - HOUR_MS / 2, lastUsedAtMs: Date.now() - HOUR_MS / 2 },
  };
  shares = [
    share,
    { ...share, id: "two", lastUsedAtMs: Date.now() },
    // Used by an earlier version, which did not count.
    { ...share, id: "three", openings: null, lastOpenedAtMs: null },
    { ...share, id: "reopened", openings: null },
    // Asked for by something that is no page.
    { ...share, id: "four", openings: 0, lastOpenedAtMs: null },
  ];
  await draw(<ShareList />);
  const [once, longer, uncounted, reopened, unopened] = [...document.querySelectorAll("li")].map(
    ({ textContent }) => textContent,
  );
  expect(once).toContain("opened once");
  expect(once).not.toContain("last read");
  expect(longer).toMatch(/opened once.*last read/);
  expect(uncounted).toMatch(/last read/);
  expect(uncounted).not.toMatch(/opened/);
  expect(reopened).toContain("last opened");
  expect(unopened).toMatch(/not opened yet.*last read/);
});

it("all links are revoked at the second press, also where one of them cannot be", async () => {
  const facts = { sessionId: SESSION, redacted: true, without: [], comments: false, createdAtMs: Date.now() };
  const share = { ...facts, title: "Fix the cart", expiresAtMs: Date.now() + HOUR_MS, ...NOT_OPENED };
  shares = [1, 2, 3].map((n) => ({ ...share, id: `id-${n}`, readers: n === 2 ? 1 : 0 }));
  await draw(<ShareList />);
  await press("Revoke all 3 links");
  expect(asked).toEqual([]);
  expect(text()).toContain("Nobody will be able to read by these links.");
  await press("Cancel");
  await press("Revoke all 3 links");
  const { fetch: answered } = globalThis;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) =>
    init.method === "DELETE" && path.endsWith("id-1")
      ? Response.json({ error: { code: "x", message: "It is locked", hint: "" } }, { status: 500 })
      : answered(path, init),
  );
  await press("Revoke 3 links");
  expect(shares.map(({ id }) => id)).toEqual(["id-1"]);
  expect(text()).toContain("It is locked");
  vi.stubGlobal("fetch", answered);
  shares = [...shares, { ...share, id: "id-4", readers: 2 }];
  page.leave();
  await draw(<ShareList />);
  await press("Revoke all 2 links");
  await press("Revoke 2 links");
  expect(text()).toContain("2 links have ended, also for 2 readers");
  expect(text()).toContain("Nothing is shared");
});
