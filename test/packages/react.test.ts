import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import reactJson from "../../packages/react/package.json" with { type: "json" };
import { executablePath, newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { activity, addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, installPacked, servePage } from "./packed.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** A page of users side by side, each with all components. */
const PAGE = `
import { createClient } from "@colloquy/client";
import { ActivityFeed, Avatars, ColloquyProvider, Inbox, Thread, useThreads } from "@colloquy/react";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";

function Threads({ documentId }) {
  const threads = useThreads({ documentId });
  return h("div", null,
    h("button", { type: "button", onClick: () => threads.add("When is it due?") }, "Ask"),
    threads.data.map((thread) => h(Thread, { key: thread.annotationId, thread, threads })));
}

function User({ url, userId, token, organizationId, documentId }) {
  const client = createClient({ url, getUserToken: () => token });
  return h("section", { "aria-label": userId }, h("h2", null, userId),
    h(ColloquyProvider, { client, organizationId, userId },
      h(Avatars, { documentId }), h(Inbox), h(Threads, { documentId }), h(ActivityFeed, { documentId })));
}

export function start(users) {
  const title = h("h1", { key: "title" }, "Contract 7");
  const shown = users.map((user) => h(User, { key: user.userId, ...user }));
  createRoot(document.getElementById("root")).render([title, ...shown]);
}
`;

const service = await startTestService();

test("the package has the version of the service, and depends on the client of the same version", () => {
  expect([reactJson.version, reactJson.dependencies]).toEqual([
    packageJson.version,
    { "@colloquy/client": packageJson.version },
  ]);
});

describeInBrowser("two users side by side", () => {
  test("each sees at once what the other writes, and reads the own inbox", async () => {
    expect(executablePath).not.toBe("");
    const { react, "react-dom": reactDom } = packageJson.devDependencies;
    const folder = await installPacked(["client", "react"], [`react@${react}`, `react-dom@${reactDom}`]);
    const workspace = await service.workspace();
    await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
    await addActivities(workspace, ["drafted"]);
    const users = await Promise.all(
      ["ada", "grace"].map(async (userId) => {
        const token = await tokenFor(workspace, userId);
        return { url: service.address, userId, token, ...SCOPE };
      }),
    );
    const page = await newPage();
    onTestFinished(() => page.context().close());
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => problems.push(message.text()));
    await page.goto(servePage(await bundle(folder, PAGE)));
    await page.evaluate(`import("/script.js").then(({ start }) => start(${JSON.stringify(users)}))`);
    const [ada, grace] = [page.getByRole("region", { name: "ada" }), page.getByRole("region", { name: "grace" })];

    for (const user of [ada, grace]) {
      const avatars = user.getByRole("list", { name: "In this document" });
      for (const name of ["The user ada", "The user grace"]) await avatars.getByText(name).waitFor();
    }
    await ada.getByRole("button", { name: "Ask" }).click();
    await grace.getByText("When is it due?").waitFor();
    await grace.getByLabel("Reply").fill("Within thirty days.");
    await grace.getByRole("button", { name: "Send" }).click();
    await ada.getByText("Within thirty days.").waitFor();
    expect(await grace.getByRole("button", { name: "Resolve" }).count()).toBe(0);
    await ada.getByRole("button", { name: "Resolve" }).click();
    await grace.getByText("Resolved", { exact: true }).waitFor();

    const template = "{{actionUser}} signed as {{role}}";
    const signed = { displayMessageTemplate: template, displayMessageTemplateData: { role: "buyer" } };
    await addActivities(workspace, [activity({ ...signed, actionUser: { userId: "ada", name: "Ada" } })]);
    for (const user of [ada, grace]) await user.getByText("Ada signed as buyer").waitFor();

    await grace.getByText("Inbox is empty.").waitFor();
    await workspace.data("/v2/notifications/add", {
      ...SCOPE,
      actionUser: { userId: "ada", name: "Ada" },
      displayHeadlineMessageTemplate: "{actionUser} needs your signature",
      displayBodyMessage: "Contract 7",
      notifyUsers: [{ userId: "grace" }],
    });
    await grace.getByText("Ada needs your signature").waitFor();
    await grace.getByRole("status").getByText("1 unread").waitFor();
    await page.evaluate(AXE);
    // Two users on one page have landmarks of the same name.
    const options = { rules: { "landmark-unique": { enabled: false } } };
    const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id }) => id))`;
    expect(await page.evaluate(run)).toEqual([]);
    await grace.getByRole("button", { name: "Mark as read" }).click();
    await grace.getByText("Inbox is empty.").waitFor();
    expect(await ada.getByText("Ada needs your signature").count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
