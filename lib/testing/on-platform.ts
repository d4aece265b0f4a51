import { onTestFinished } from "vitest";

/** Has the code under test take this system for another one until its test ends. */
export function onPlatform(platform: NodeJS.Platform): void {
  const own = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  Object.defineProperty(process, "platform", { ...own, value: platform });
  onTestFinished(() => void Object.defineProperty(process, "platform", own));
}
