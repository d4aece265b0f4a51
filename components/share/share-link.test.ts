import { expect, test } from "vitest";
import { shareLink, tunnelCommand } from "./share-dialog";

const VIEW = "http://127.0.0.1:4747/sessions/x?at=m~1k9.2%3AL12-20&detail=tools#x=1";

test("a link is the view, with the token only when asked", () => {
  expect(shareLink(VIEW, null)).toBe(VIEW);
  expect(shareLink(VIEW, "secretsecretsecret")).toBe(`${VIEW}&t=secretsecretsecret`);
  expect(shareLink("http://127.0.0.1:4747/#t=old", null)).toBe("http://127.0.0.1:4747/");
});

test("the tunnel keeps the port, since the gate compares it", () => {
  expect(tunnelCommand(VIEW)).toBe("ssh -N -L 4747:127.0.0.1:4747 user@this-machine");
});
