import { expect, test } from "vitest";
import { shortenHome, splitPath } from "./split-path";

test.each([
  ["/home/dev/src/courier", "courier in /home/dev/src"],
  ["~/src/courier/", "courier in ~/src"],
  ["C:\\Users\\dev\\src\\courier", "courier in C:\\Users\\dev\\src"],
  ["/srv", "srv in /"],
  ["courier", "courier in "],
  ["/", "/ in "],
])("%s is %s", (path, text) => {
  const { name, folder } = splitPath(path);
  expect(`${name} in ${folder}`).toBe(text);
});

test.each([
  ["/home/dev/src", "~/src"],
  ["/home/dev", "~"],
  ["/Users/dev/src", "~/src"],
  ["/root/x", "~/x"],
  ["C:\\Users\\dev\\src", "~\\src"],
  ["/homestead/dev", "/homestead/dev"],
  ["/srv/home/dev", "/srv/home/dev"],
])("%s is shown as %s", (path, text) => {
  expect(shortenHome(path)).toBe(text);
});
