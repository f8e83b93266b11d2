import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { followFromStart, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

// `tutorials.long.test.ts` follows the other tutorials.
describeInBrowser("the tutorials", testTutorials, TUTORIAL_TIMEOUT_MS);

function testTutorials(): void {
  test("the bell counts notifications as they arrive, and none after a click", async () => {
    const { reader, address } = await followFromStart("bell");
    const { page, problems } = await openAndWatch(`${address}/?user=ada`);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).waitFor();
    await reader.run('node notify.js "$COLLOQUY_URL" "$API_KEY" "$AUTH_TOKEN" "Please sign contract 8"');
    await page.getByText("Please sign contract 8").waitFor();
    await page.getByRole("button", { name: "Notifications, 2 unread" }).click();
    await page.getByRole("button", { name: "Notifications, 0 unread" }).waitFor();
    expect(problems).toEqual([]);
  });
}

test("a webhook is accepted with a valid signature, and rejected with a changed body", async () => {
  const { reader } = await followFromStart("webhook");
  for (const line of ["Accepted comment_annotation.add", "Accepted invoice.paid", "Rejected a message"]) {
    await expect.poll(() => reader.output).toContain(line);
  }
  expect(reader.output.match(/Rejected a message/g)).toHaveLength(1);
});
