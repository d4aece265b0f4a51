// @vitest-environment page
import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import { drawnPage, until } from "./drawn-page";

const later = () => new Promise((resolve) => setTimeout(resolve, 10));

function Late({ after }: { after: () => Promise<unknown> }) {
  const [text, setText] = useState("soon");
  useEffect(() => {
    after().then(
      () => setText("there"),
      () => setText("gone"),
    );
  }, [after]);
  return text;
}

it("what comes while a test waits for it is drawn, and nothing is said of it", async () => {
  await drawnPage().draw(<Late after={later} />);
  await until(() => expect(document.body.textContent).toBe("there"));
});

it.fails("an update that no test waits for is a fault of the test", async () => {
  await drawnPage().draw(<Late after={later} />);
  await later();
  await later();
  expect(document.body.textContent).toBe("soon");
});

it.fails("a request that the test does not answer is one, too", async () => {
  await drawnPage().draw(<Late after={() => fetch("/api/sessions")} />);
  await until(() => expect(document.body.textContent).toBe("gone"));
});
