// @vitest-environment page
import { expect, it } from "vitest";
import { canvasFont, lightColours } from "./canvas-colours";

it("texts of a picture are as large as the page's own", () => {
  document.body.style.fontSize = "16px";
  document.body.style.fontFamily = "Sans";
  const colours = lightColours();
  expect(Number.parseFloat(canvasFont(colours, 600, 13).split(" ")[1] ?? "")).toBeCloseTo(16, 5);
  expect(canvasFont({ ...colours, unit: 1 }, 400, 11, "Mono")).toBe("400 11px Mono");
});
