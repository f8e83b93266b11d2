import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Locator, Page, WebSocket } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import reactJson from "../../packages/react/package.json" with { type: "json" };
import { newPage } from "../console/browser.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { addEditor, readEditor } from "../crdt.ts";
import { activity, addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { bundle, installPacked, servePage } from "./packed.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** A page of users side by side, each with all components or with editors. */
const PAGE = `
import { createClient } from "@colloquy/client";
import { ActivityFeed, Avatars, ColloquyProvider, Inbox, Thread, useThreads } from "@colloquy/react";
import { useDocument } from "@colloquy/react/document";
import { createElement as h, StrictMode, useEffect, useReducer, useState } from "react";
import { createRoot } from "react-dom/client";

function Threads({ documentId }) {
  const threads = useThreads({ documentId });
  return h("div", null,
    h("button", { type: "button", onClick: () => threads.add("When is it due?") }, "Ask"),
    threads.data.map((thread) => h(Thread, { key: thread.annotationId, thread, threads })));
}

function Editor({ documentId, editorId }) {
  const { document, awareness, status, isSynced, isSaved, isReadOnly, error } = useDocument({ documentId, editorId });
  const [, render] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    document?.on("update", render);
    awareness?.on("change", render);
    awareness?.setLocalStateField("user", { name: "Somebody" });
  }, [document, awareness]);
  const words = [status, isSynced && "synced", isSaved && "saved", isReadOnly && "read only", error?.reason];
  return h("div", null,
    h("p", null, document?.getText("content").toString()),
    h("p", null, awareness?.getStates().size + " here"),
    h("p", null, words.filter(Boolean).join(", ")),
    h("button", { type: "button", onClick: () => document.getText("content").insert(0, "not ") }, "Negate"));
}

function Editors({ documentId }) {
  const [editorId, open] = useState();
  const ids = ["clause-1", "missing"];
  return h(StrictMode, null,
    ids.map((id) => h("button", { key: id, type: "button", onClick: () => open(id) }, "Open " + id)),
    h("button", { type: "button", onClick: () => open(undefined) }, "Close"),
    editorId && h(Editor, { documentId, editorId }));
}

function All({ documentId }) {
  return [Avatars, Inbox, Threads, ActivityFeed].map((component, key) => h(component, { key, documentId }));
}

function User({ url, userId, token, organizationId, documentId, hasEditors }) {
  const client = createClient({ url, getUserToken: () => token ?? window.tokenOf(userId) });
  return h("section", { "aria-label": userId }, h("h2", null, userId),
    h(ColloquyProvider, { client, organizationId, userId }, h(hasEditors ? Editors : All, { documentId })));
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

/** Opens a page with these users side by side. Those without a token ask for one by `tokenOf`. */
async function openPage(
  folder: string,
  workspace: TestWorkspace,
  users: { userId: string; token?: string; hasEditors?: boolean }[],
): Promise<{ page: Page; problems: string[]; regionOf: (userId: string) => Locator }> {
  await workspace.data("/v2/workspace/domains/add", { domains: ["localhost"] });
  const page = await newPage();
  onTestFinished(() => page.context().close());
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "info") problems.push(message.text());
  });
  await page.exposeFunction("tokenOf", (userId: string) => tokenFor(workspace, userId));
  await page.goto(servePage(await bundle(folder, PAGE, "development")));
  const given = users.map((user) => ({ url: service.address, ...user, ...SCOPE }));
  await page.evaluate(`import("/script.js").then(({ start }) => start(${JSON.stringify(given)}))`);
  return { page, problems, regionOf: (userId) => page.getByRole("region", { name: userId }) };
}

describeInBrowser("two users side by side", () => {
  const {
    react,
    "react-dom": reactDom,
    "@hocuspocus/provider": provider,
    yjs,
  } = {
    ...packageJson.dependencies,
    ...packageJson.devDependencies,
  };
  let folder: string;
  beforeAll(async () => {
    const others = [`react@${react}`, `react-dom@${reactDom}`, `@hocuspocus/provider@${provider}`, `yjs@${yjs}`];
    folder = await installPacked(["client", "react"], others);
    const scripts = globSync(join(folder, "node_modules/@colloquy/react/dist/*.js"));
    const ofHocuspocus = scripts.filter((path) => readFileSync(path, "utf8").includes("@hocuspocus/provider"));
    expect(ofHocuspocus.map((path) => basename(path))).toEqual(["document.js"]);
  });

  test("each sees at once what the other writes, and reads the own inbox", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const { page, problems, regionOf } = await openPage(folder, workspace, [{ userId: "ada" }, { userId: "grace" }]);
    const [ada, grace] = [regionOf("ada"), regionOf("grace")];

    for (const user of [ada, grace]) {
      const avatars = user.getByRole("list", { name: "In this document" });
      for (const name of ["The user ada", "The user grace"]) await avatars.getByText(name).waitFor();
    }
    await ada.getByRole("button", { name: "Ask" }).click();
    await grace.getByText("When is it due?").waitFor();
    await grace.getByLabel("Reply").fill("Within thirty days.");
    await grace.getByRole("button", { name: "Send" }).click();
    await ada.getByRole("article").getByText("Within thirty days.").waitFor();
    await ada.getByText("The user grace commented").first().waitFor();
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

  test("each sees what the other types, also after a token was revoked, and why an editor is closed", async () => {
    const workspace = await service.workspace();
    const editorId = "clause-1";
    await addEditor(workspace, { editorId, type: "text", data: "final" });
    const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
    await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
    const viewer = { userId: "linus", hasEditors: true, token: await tokenFor(workspace, "linus", { resources }) };
    const users = [{ userId: "ada", hasEditors: true }, { userId: "grace", hasEditors: true }, viewer];
    const { page, problems, regionOf } = await openPage(folder, workspace, users);
    const [ada, grace, linus] = users.map(({ userId }) => regionOf(userId)) as [Locator, Locator, Locator];
    const sockets: WebSocket[] = [];
    page.on("websocket", (socket) => sockets.push(socket));
    for (const user of [ada, grace, linus]) await user.getByRole("button", { name: "Open clause-1" }).click();
    await linus.getByText("connected, synced, saved, read only", { exact: true }).waitFor();
    for (const user of [ada, grace]) {
      await user.getByText("connected, synced, saved", { exact: true }).waitFor();
      await user.getByText("3 here").waitFor();
    }
    // Strict mode, which opens each editor twice, is why this page has the development build of React.
    expect(sockets).toHaveLength(3);

    await ada.getByRole("button", { name: "Negate" }).click();
    for (const user of [grace, linus]) await user.getByText("not final", { exact: true }).waitFor();
    await workspace.result("/v2/auth/tokens/revoke", { userIds: ["ada", "linus"] });
    await linus.getByText("disconnected, read only, user_token_revoked", { exact: true }).waitFor();
    await expect.poll(() => sockets.length).toBe(5);
    await grace.getByRole("button", { name: "Negate" }).click();
    await ada.getByText("not not final", { exact: true }).waitFor();
    await ada.getByRole("button", { name: "Negate" }).click();
    await grace.getByText("not not not final", { exact: true }).waitFor();
    await ada.getByText("connected, synced, saved", { exact: true }).waitFor();
    expect((await readEditor(workspace, { editorId })).data).toBe("not not not final");

    await ada.getByRole("button", { name: "Close" }).click();
    await grace.getByText("1 here").waitFor();
    await ada.getByRole("button", { name: "Open missing" }).click();
    await ada.getByText("disconnected, read only, not_found", { exact: true }).waitFor();
    await ada.getByRole("button", { name: "Close" }).click();
    await grace.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => sockets.filter((socket) => !socket.isClosed())).toEqual([]);
    expect(problems).toEqual([]);
  });
});
