import type { Locator, Page, Route, WebSocket } from "playwright-core";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import reactJson from "../../packages/react/package.json" with { type: "json" };
import { describeInBrowser } from "../console/visitor.ts";
import { addContent, readContent } from "../crdt.ts";
import { activity, addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { longTest } from "../sizes.ts";
import { getKinds } from "../sync.ts";
import { tokenFor } from "../user-tokens.ts";
import { accessibilityViolations, focusedName, isFocused, loseResponse, openPage } from "./react-page.ts";
import { STYLESHEET } from "./source-script.ts";

const FEED = "/v2/activities/get";
const service = await startTestService();

test("the package has the version of the service, and needs the client of the same version beside it", () => {
  const { version } = packageJson;
  expect(reactJson).toMatchObject({ version, peerDependencies: { "@colloquy/client": version } });
  // Both are loaded when a user writes a comment, or looks for an emoji.
  expect(Object.keys(reactJson.dependencies)).toEqual(["frimousse", "squire-rte"]);
});

describeInBrowser("two users side by side", () => {
  test("each sees at once what the other writes, and reads the own inbox", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const { page, problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada" },
      { userId: "grace" },
    ]);
    const [ada, grace] = [getRegion("ada"), getRegion("grace")];

    for (const user of [ada, grace]) {
      const avatars = user.getByRole("list", { name: "In this document" });
      for (const name of ["The user ada", "The user grace"]) await avatars.getByText(name).waitFor();
    }
    await ada.getByRole("button", { name: "Ask" }).click();
    await grace.getByText("When is it due?").waitFor();
    const [field, texts] = [grace.getByLabel("Reply"), [" \n ", "Within thirty days.\nOr sixty."]];
    for (const text of texts) await field.fill(text).then(() => field.press("Control+Enter"));
    await page.addStyleTag({ path: STYLESHEET });
    const shown = ada.getByRole("article").locator(".colloquy-text");
    await expect.poll(() => shown.allInnerTexts()).toEqual(["When is it due?", texts[1]]);
    await ada.getByText("The user grace commented").first().waitFor();
    await ada.getByRole("button", { name: "Resolve" }).click();
    await grace.getByText("Resolved", { exact: true }).waitFor();

    const template = "{{actionUser}} signed as {{role}}";
    const signed = { displayMessageTemplate: template, displayMessageTemplateData: { role: "buyer" } };
    await addActivities(workspace, [activity({ ...signed, actionUser: { userId: "ada", name: "Ada" } })]);
    for (const user of [ada, grace]) await user.getByText("Ada signed as buyer").waitFor();

    await grace.getByText("The user ada resolved #1").waitFor();
    await workspace.data("/v2/notifications/add", {
      ...SCOPE,
      actionUser: { userId: "ada", name: "Ada" },
      displayHeadlineMessageTemplate: "{actionUser} needs your signature",
      displayBodyMessage: "Contract 7",
      notifyUsers: [{ userId: "grace" }],
    });
    await grace.getByText("Ada needs your signature").waitFor();
    await grace.getByRole("status").getByText("2 unread").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await grace.getByRole("button", { name: "Mark as read: Ada needs your signature" }).click();
    await grace.getByRole("status").getByText("1 unread").waitFor();
    expect(await grace.getByText("Ada needs your signature").count()).toBe(1);
    expect(await grace.getByRole("button", { name: "Mark as read" }).count()).toBe(1);
    expect(await ada.getByText("Ada needs your signature").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("a double click replies once, and the focus moves on from a button that is removed", async () => {
    const workspace = await service.workspace();
    const comment = { from: { userId: "ada", name: "Ada" }, commentText: "When is it due?" };
    const commentAnnotations = [{ annotationId: "due", commentData: [comment] }];
    await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
    for (const displayHeadlineMessageTemplate of ["First", "Second"]) {
      const content = {
        displayHeadlineMessageTemplate,
        displayBodyMessage: "Contract 7",
        timestamp: Date.UTC(2020, 0, 2, 12),
      };
      const recipients = { actionUser: { userId: "grace" }, notifyUsers: [{ userId: "ada" }] };
      await workspace.data("/v2/notifications/add", { ...SCOPE, ...recipients, ...content });
    }
    const { page, problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada" }]);
    const ada = getRegion("ada");

    await ada.getByLabel("Reply").fill("Within thirty days.");
    await ada.getByRole("button", { name: "Send" }).dblclick();
    const thread = ada.getByRole("article", { name: "Thread started by Ada" });
    await thread.getByText("Within thirty days.").waitFor();
    // The stream may show the reply before its response arrives.
    await expect.poll(() => ada.getByLabel("Reply").innerText()).toBe("\n");
    await ada.getByRole("button", { name: "Resolve" }).press("Enter");
    await thread.getByText("Resolved", { exact: true }).waitFor();
    await expect.poll(() => isFocused(ada.getByLabel("Reply"))).toBe(true);
    const request = { ...SCOPE, annotationId: "due" };
    expect(await workspace.data("/v2/commentannotations/comments/get", request)).toHaveLength(2);

    const list = ada.getByRole("list", { name: "Notifications" });
    expect(await list.getByText("Jan 2, 2020", { exact: true }).count()).toBe(2);
    const press = (name: string) => list.getByRole("button", { name }).press("Enter");
    await press("Mark as read: First");
    await expect.poll(() => focusedName(page)).toBe("Archive: First");
    await press("Archive: First");
    await expect.poll(() => focusedName(page)).toBe("Mark as read: Second");
    await press("Delete: Second");
    await expect.poll(() => list.getByRole("listitem").count()).toBe(0);
    expect(await isFocused(list)).toBe(true);
    expect(problems).toEqual([]);
  });

  test("a reply whose response was lost is added once, also if it is sent again", async () => {
    const workspace = await service.workspace();
    const comment = { from: { userId: "ada" }, commentText: "When is it due?" };
    const commentAnnotations = [{ annotationId: "due", commentData: [comment] }];
    await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
    const add = "/v2/commentannotations/comments/add";
    const { page, getRegion } = await openPage(service.address, workspace, [{ userId: "ada" }]);
    await loseResponse(page, add);
    const ada = getRegion("ada");
    const send = ada.getByRole("button", { name: "Send" });

    await ada.getByLabel("Reply").fill("Within thirty days.");
    await send.click();
    await ada.getByText("It fails.").waitFor();
    for (const response of ["again", "as another reply"]) {
      const responded = page.waitForResponse(`**${add}`);
      await ada.getByLabel("Reply").fill("Within thirty days.");
      await send.click();
      const replayed = (await responded).headers()["idempotent-replayed"];
      expect(replayed).toBe(response === "again" ? "true" : undefined);
      await expect.poll(() => ada.getByLabel("Reply").innerText()).toBe("\n");
    }
    const texts = (await workspace.data("/v2/commentannotations/comments/get", { ...SCOPE, annotationId: "due" })).map(
      (comment) => comment?.commentText,
    );
    expect(texts).toEqual(["When is it due?", "Within thirty days.", "Within thirty days."]);
  });

  longTest("a list grows by pages and not by events, and counts all that is unread", async () => {
    const workspace = await service.publicWorkspace();
    const ids = Array.from({ length: 65 }, (_, index) => `a${index}`);
    await addActivities(workspace, ids.slice(0, 60));
    await addActivities(workspace, ["other"], { documentId: "contract-8" });
    for (let number = 0; number < 60; number += 1) {
      await addNotification(workspace, `n${number}`, { notifyUsers: [{ userId: "ada" }] });
    }
    const users = [{ userId: "ada", view: "lists" as const }];
    const { problems, getRegion } = await openPage(service.address, workspace, users);
    const ada = getRegion("ada");
    const shows = (from: number, to: number) =>
      ada.getByText(ids.slice(from, to).reverse().join(" "), { exact: true }).waitFor();

    await shows(10, 60);
    await ada.getByText("60 in the inbox").waitFor();
    await workspace.data("/v2/notifications/read", { ...SCOPE, userId: "ada", notificationIds: ["n0"] });
    await ada.getByText("59 in the inbox").waitFor();
    await ada.getByRole("button", { name: "Load more" }).click();
    await shows(0, 60);
    expect(await ada.getByRole("button", { name: "Load more" }).count()).toBe(0);
    await addActivities(workspace, ids.slice(60));
    await shows(5, 65);
    await ada.getByRole("button", { name: "Load more" }).click();
    await shows(0, 65);
    await ada.getByRole("button", { name: "Open another" }).click();
    await ada.getByText("other", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  longTest("notifications about what the user no longer sees leave the inbox", async () => {
    const workspace = await service.workspace();
    const taggedUserContacts = [{ text: "@Ada", userId: "ada", contact: { userId: "ada" } }];
    const comment = { from: { userId: "grace" }, commentText: "@Ada", taggedUserContacts, triggerNotification: true };
    for (const documentId of ["hidden", "gone", "seen"]) {
      const commentAnnotations = [{ annotationId: documentId, commentData: [comment] }];
      await workspace.data("/v2/commentannotations/add", { ...SCOPE, documentId, commentAnnotations });
    }
    const { problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada", view: "lists" as const },
    ]);
    const ada = getRegion("ada");
    await ada.getByText("3 in the inbox").waitFor();
    await workspace.data("/v2/commentannotations/update", {
      ...{ ...SCOPE, documentId: "hidden", annotationIds: ["hidden"] },
      updatedData: { visibility: { type: "restricted", userIds: ["grace"] } },
    });
    await ada.getByText("2 in the inbox").waitFor();
    await workspace.data("/v2/organizations/documents/delete", { organizationId: "acme", documentIds: ["gone"] });
    await ada.getByText("1 in the inbox").waitFor();
    expect(problems).toEqual([]);
  });

  longTest("a list is read again after the data of a user was deleted", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const headers = { "access-control-allow-origin": "*", "content-type": "text/event-stream" };
    const reads: string[] = [];
    function deleteUser(page: Page): Promise<unknown> {
      page.on("requestfinished", (request) => request.url().endsWith(FEED) && reads.push(request.url()));
      const event = (cursor?: string) => `id: ${cursor}\nevent: user_data.deleted\ndata: {"subject":{}}\n\n`;
      const response = (route: Route) =>
        route.fulfill({ headers, body: event(route.request().headers()["last-event-id"]) });
      return page.route("**/v2/events/stream?*documentIds=*", response, { times: 1 });
    }
    const users = [{ userId: "ada", view: "lists" as const }];
    const { getRegion } = await openPage(service.address, workspace, users, deleteUser);
    await getRegion("ada").getByText("drafted", { exact: true }).waitFor();
    await expect.poll(() => reads).toHaveLength(2);
  });

  longTest("a document that was closed connects again by a retry, with what was typed meanwhile", async () => {
    const workspace = await service.workspace();
    await addContent(workspace, { editorId: "clause-1", type: "text", data: "other" });
    const { page, problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada", view: "editors" },
    ]);
    const ada = getRegion("ada");
    await ada.getByRole("button", { name: "Open missing" }).click();
    await ada.getByText("disconnected, read only, not_found", { exact: true }).waitFor();
    const sent: Uint8Array[] = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(Buffer.from(payload))));
    await ada.getByRole("button", { name: "Negate" }).click();
    await addContent(workspace, { editorId: "missing", type: "text", data: "final" });
    await ada.getByRole("button", { name: "Retry" }).click();
    await ada.getByText("connected, synced, saved", { exact: true }).waitFor();
    const { data } = await readContent(workspace, { editorId: "missing" });
    expect(["not final", "finalnot "]).toContain(data);
    expect(getKinds(sent)).toEqual(["token", "step 1", "step 2"]);
    expect(problems).toEqual([]);
  });

  test("each sees what the other types, also after a token was revoked, and why a document is closed", async () => {
    const workspace = await service.workspace();
    const editorId = "clause-1";
    await addContent(workspace, { editorId, type: "text", data: "final" });
    const resources = [{ type: "organization" as const, id: "acme", accessRole: "viewer" as const }];
    await workspace.result("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "organizationPrivate" });
    const viewer = {
      userId: "linus",
      view: "editors" as const,
      token: await tokenFor(workspace, "linus", { resources }),
    };
    const users = [{ userId: "ada", view: "editors" as const }, { userId: "grace", view: "editors" as const }, viewer];
    const { page, problems, getRegion } = await openPage(service.address, workspace, users);
    const [ada, grace, linus] = users.map(({ userId }) => getRegion(userId)) as [Locator, Locator, Locator];
    const sockets: WebSocket[] = [];
    page.on("websocket", (socket) => sockets.push(socket));
    for (const user of [ada, grace, linus]) await user.getByRole("button", { name: "Open clause-1" }).click();
    await linus.getByText("connected, synced, saved, read only", { exact: true }).waitFor();
    for (const user of [ada, grace]) {
      await user.getByText("connected, synced, saved", { exact: true }).waitFor();
      await user.getByText("3 here").waitFor();
    }
    // Strict mode, which opens each document twice, is why this page has the development build of React.
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
    expect((await readContent(workspace, { editorId })).data).toBe("not not not final");

    await ada.getByRole("button", { name: "Open missing" }).click();
    await grace.getByText("1 here").waitFor();
    await ada.getByText("disconnected, read only, not_found", { exact: true }).waitFor();
    await ada.getByRole("button", { name: "Close" }).click();
    await grace.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => sockets.filter((socket) => !socket.isClosed())).toEqual([]);
    expect(problems).toEqual([]);
  });
});
