import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { activity, addActivities } from "../factories.ts";
import { expectTokenClosedElsewhere } from "../other-organization.ts";
import { followInWorkspace, openAndWatch, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

/** The server and the browsers are always on different days. */
const SERVER = { TZ: "Pacific/Kiritimati", NEXT_TELEMETRY_DISABLED: "1" };
const BROWSER = { timezoneId: "Pacific/Pago_Pago", locale: "en-GB" };
const DAY_MS = 86_400_000;

describeInBrowser("the tutorial of Next.js", testTutorial, TUTORIAL_TIMEOUT_MS);

function testTutorial(): void {
  test("comments are in the HTML of the server, which is hydrated without a difference and is live then", async () => {
    const { address, credentials, workspace } = await followInWorkspace("nextjs", SERVER);
    const pageOf = (user: string) => `${address}/?user=${user}`;
    const ages = [1, 2, 3];
    await addActivities(
      workspace,
      ages.map((age) => activity({ timestamp: Date.now() - age * DAY_MS })),
    );
    const html = await (await fetch(pageOf("ada"))).text();
    for (const text of ["When is it due?", "Inbox is empty.", "<time "]) expect(html).toContain(text);

    const opened = [await openAndWatch(pageOf("ada"), BROWSER), await openAndWatch(pageOf("grace"), BROWSER)] as const;
    const [ada, grace] = [opened[0].page, opened[1].page];
    await ada.getByRole("textbox", { name: "Comment", exact: true }).fill("In thirty days.");
    await ada.getByRole("button", { name: "Send" }).first().click();
    await grace.getByRole("article").getByText("In thirty days.").waitFor();
    // All times are those of the browser, also the ones that the server has rendered.
    const times = await grace.evaluate<string[][]>(`[...document.querySelectorAll("time")].map((time) => [
      time.title,
      new Date(time.dateTime).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" }),
    ])`);
    expect(times.length).toBeGreaterThan(ages.length);
    for (const [shown, expected] of times) expect(shown).toBe(expected);
    expect(opened.flatMap(({ problems }) => problems)).toEqual([]);

    const readUrl = /url\\":\\"(http:[^\\]+)/.exec(html)?.[1] ?? "";
    const token = await (await fetch(`${address}/token?user=ada`)).text();
    await expectTokenClosedElsewhere(readUrl, token, credentials);
  });
}
