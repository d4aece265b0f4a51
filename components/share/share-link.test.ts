import { expect, test } from "vitest";
import {
  formatWithout,
  isReadable,
  linkToGive,
  placeOfLink,
  shareLink,
  tunnelCommand,
  withDots,
} from "./share-link";

const VIEW = "http://127.0.0.1:4747/sessions/x?at=m~1k9.2%3AL12-20&detail=tools#x=1";
const TOKEN = "share~secretsecretsecret";

test("a share's link is an address, its path and its token, behind what the path has of a fragment", () => {
  const origin = "https://logs.example:8443";
  expect(shareLink(origin, { path: "/sessions/y?at=m~1", token: TOKEN })).toBe(
    `${origin}/sessions/y?at=m~1#t=${TOKEN}`,
  );
  expect(shareLink(origin, { path: "/sessions/y#x=1", token: TOKEN })).toBe(
    `${origin}/sessions/y#x=1&t=${TOKEN}`,
  );
});

test("an owner's link to a place has no token", () => {
  expect(linkToGive(VIEW)).toBe(VIEW);
  expect(linkToGive("http://127.0.0.1:4747/#t=old")).toBe("http://127.0.0.1:4747/");
});

test("the place of a view is what its address has behind the path, without a token, and its detail", () => {
  expect(placeOfLink(`${VIEW}&t=secretsecretsecret`, "prompts")).toBe(
    "?at=m~1k9.2%3AL12-20&detail=tools#x=1",
  );
  expect(placeOfLink("http://127.0.0.1:4747/sessions/x#t=old", "prompts")).toBe("?detail=prompts");
  expect(placeOfLink("http://127.0.0.1:4747/sessions/x?at=m~1", "everything")).toBe(
    "?at=m~1&detail=everything",
  );
});

test("a shown link has dots for its token, and everything else", () => {
  expect(withDots(`http://a/sessions/y?at=1#x=1&t=${TOKEN}`)).toBe("http://a/sessions/y?at=1#x=1&t=••••••••");
});

test("the tunnel keeps the port, since the gate compares it", () => {
  expect(tunnelCommand(VIEW)).toBe("ssh -N -L 4747:127.0.0.1:4747 user@this-machine");
});

test.each([
  ["loopback", false, false],
  ["network", false, true],
  ["name", false, true],
  ["name", true, false],
] as const)("%s, encrypted %s: can be read on the way %s", (kind, encrypted, readable) => {
  expect(isReadable({ origin: "http://a", kind, encrypted })).toBe(readable);
});

test("names what a link leaves out", () => {
  expect(formatWithout(["images"])).toBe("without images");
  expect(formatWithout(["thinking", "agents"])).toBe("without thinking or agents");
  expect(formatWithout(["thinking", "agents", "images"])).toBe("without thinking, agents or images");
});
