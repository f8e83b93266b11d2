import { expect, test } from "vitest";
import {
  addAnnotations,
  addComments,
  changeAnnotations,
  comment,
  countAnnotations,
  readAnnotations,
} from "../comments.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { activity, addActivities, SCOPE } from "../factories.ts";
import { uploadFile } from "../files.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { accessibilityViolations, isFocused, loseResponse, openPage } from "./react-page.ts";
import { STYLESHEET } from "./source-script.ts";
import { removeComment, selectAction } from "./thread-actions.ts";

const service = await startTestService();
const THREADS = "/v2/commentannotations/get";

describeInBrowser("components", () => {
  test("users edit and delete their own comments, and reopen and delete their own threads", async () => {
    const workspace = await service.publicWorkspace();
    const commentData = [{ from: { userId: "ada" }, commentText: "When is it due?" }];
    await workspace.data("/v2/commentannotations/add", {
      ...SCOPE,
      commentAnnotations: [{ annotationId: "due", commentData }],
    });
    const { page, problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada" },
      { userId: "grace" },
    ]);
    const [ada, grace] = [getRegion("ada"), getRegion("grace")];

    await ada.getByRole("button", { name: "Resolve" }).click();
    await grace.getByText("Resolved", { exact: true }).waitFor();
    await ada.getByRole("button", { name: "Reopen" }).press("Enter");
    await expect.poll(() => grace.getByText("Resolved", { exact: true }).count()).toBe(0);
    await expect.poll(() => isFocused(ada.getByLabel("Reply"))).toBe(true);

    await grace.getByLabel("Reply").fill("In thirty days.");
    await grace.getByRole("button", { name: "Send" }).click();
    await selectAction(grace, "Edit");
    await expect.poll(() => isFocused(grace.getByRole("textbox", { name: "Edit" }))).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await grace.getByRole("textbox", { name: "Edit" }).fill("Within thirty days.");
    await grace.getByRole("button", { name: "Save" }).press("Enter");
    const thread = ada.getByRole("article");
    await thread.getByText("Within thirty days.", { exact: true }).waitFor();
    expect(await ada.getByRole("button", { name: /^Actions/ }).count()).toBe(1);
    await expect.poll(() => isFocused(grace.getByRole("button", { name: /^Actions/ }))).toBe(true);
    await removeComment(grace);
    await expect.poll(() => thread.getByText("Within thirty days.").count()).toBe(0);
    await expect.poll(() => isFocused(grace.getByLabel("Reply"))).toBe(true);
    await removeComment(ada);
    await expect.poll(() => grace.getByRole("article").count()).toBe(0);
    expect(await workspace.data(THREADS, SCOPE)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("a reply has rich text, a mention and a file that the service stores, for the other user too", async () => {
    const workspace = await service.publicWorkspace();
    const commentData = [{ from: { userId: "ada", name: "Ada" }, commentText: "When is it due?" }];
    await addAnnotations(workspace, [{ annotationId: "due", commentData }]);
    const { page, problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada" },
      { userId: "grace" },
    ]);
    const [ada, grace] = [getRegion("ada"), getRegion("grace")];

    const field = grace.getByLabel("Reply");
    await field.click();
    await page.keyboard.press("Control+b");
    await page.keyboard.type("Soon");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" @Ad");
    await grace.getByRole("option", { name: "ada" }).click();
    const file = { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("The plan") };
    await grace.locator("input[type=file]").setInputFiles([file]);
    await expect.poll(() => grace.getByRole("progressbar").count()).toBe(0);
    await field.press("Control+Enter");
    const article = ada.getByRole("article");
    await article.locator("strong", { hasText: "Soon" }).waitFor();
    const link = article.getByRole("link", { name: /plan\.txt/ });
    const response = await fetch((await link.getAttribute("href")) ?? "");
    expect(await response.text()).toBe("The plan");
    const [annotation] = await readAnnotations(workspace);
    expect(annotation?.comments[1]).toMatchObject({
      ...{ commentText: "Soon @The user ada", commentHtml: expect.stringContaining("<p><strong>Soon</strong>") },
      taggedUserContacts: [{ userId: "ada", text: "@The user ada" }],
      attachments: [{ name: "plan.txt", size: 8 }],
    });
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("an image and a file whose URLs have expired on an open page are shown by new ones", async () => {
    const workspace = await service.publicWorkspace();
    const given = [
      {
        name: "dot.gif",
        contentType: "image/gif",
        bytes: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
      },
      { name: "plan.txt", contentType: "text/plain", bytes: Buffer.from("The plan") },
    ];
    const files = await Promise.all(given.map(({ bytes, ...file }) => uploadFile(workspace, file, bytes)));
    const attachments = files.map((fileId) => ({ fileId }));
    await addAnnotations(workspace, [{ annotationId: "due", commentData: [comment({ commentId: 1, attachments })] }]);
    let reads = 0;
    const { page, getRegion } = await openPage(service.address, workspace, [{ userId: "grace" }], async (page) => {
      // The page is open until its URLs have expired.
      await page.route("**/v2/commentannotations/get", async (route) => {
        const response = await route.fetch();
        const text = (await response.text()).replaceAll(/"urlExpiresAt":\d+/g, '"urlExpiresAt":1');
        await route.fulfill({ response, body: text.replaceAll("download?", "download?expired&") });
      });
      await page.route(/download\?expired/, (route) => route.fulfill({ status: 403, body: "" }));
      page.on("request", (request) => {
        if (request.url().endsWith("/comments/get")) reads += 1;
      });
    });
    const article = getRegion("grace").getByRole("article");
    const image = article.getByRole("img", { name: "dot.gif" });
    await expect.poll(() => image.evaluate((node) => Reflect.get(node, "naturalWidth"))).toBe(1);
    const opening = page.context().waitForEvent("page");
    await article.getByRole("link", { name: /plan\.txt/ }).click();
    const opened = await opening;
    await opened.getByText("The plan").waitFor();
    expect(reads).toBe(1);
  });

  test("a mention offers users with access to the document, and groups, to a page without searchUsers", async () => {
    const workspace = await service.publicWorkspace();
    await addAnnotations(workspace, [{ annotationId: "due", commentData: [comment({ from: { userId: "ada" } })] }]);
    const users = ["Carl", "Carla"].map((name) => ({
      userId: name.toLowerCase(),
      name,
      accessRole: "viewer" as const,
    }));
    await workspace.data("/v2/users/add", { organizationId: SCOPE.organizationId, users: users.slice(0, 1) });
    await workspace.data("/v2/users/add", { ...SCOPE, users: users.slice(1) });
    await workspace.data("/v2/organizations/usergroups/users/add", {
      ...{ organizationId: SCOPE.organizationId, organizationUserGroupId: "Carpenters", userIds: ["carl"] },
    });
    const { page, problems, getRegion } = await openPage(service.address, workspace, [{ userId: "grace" }]);
    const grace = getRegion("grace");
    await grace.getByLabel("Reply").click();
    await page.keyboard.type("Ask @carp");
    await grace.getByRole("option", { name: "Carpenters Group", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("and @car");
    for (const name of ["Carl", "Carla"]) await grace.getByRole("option", { name, exact: true }).waitFor();
    await page.keyboard.type("la");
    await expect.poll(() => grace.getByRole("option").count()).toBe(1);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    await expect
      .poll(async () => (await readAnnotations(workspace))[0]?.comments[1])
      .toMatchObject({
        commentText: "Ask @Carpenters and @Carla",
        taggedUserContacts: [{ userId: "carla" }],
        taggedUserGroups: [{ groupId: "Carpenters", text: "@Carpenters", userIds: ["carl"] }],
      });
    expect(problems).toEqual([]);
  });

  test("users add reactions to comments and delete their own", async () => {
    const workspace = await service.publicWorkspace();
    const commentData = [{ commentId: 1, from: { userId: "ada" }, commentText: "When is it due?" }];
    const commentAnnotations = [{ annotationId: "due", commentData }];
    await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
    const { page, problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada" },
      { userId: "grace" },
    ]);
    const [ada, grace] = [getRegion("ada"), getRegion("grace")];
    const isPressed = { pressed: true };

    await grace.getByRole("button", { name: "👍", exact: true }).press("Enter");
    await grace.getByRole("button", { name: "👍 1", ...isPressed }).waitFor();
    await ada.getByRole("button", { name: "👍 1", pressed: false }).click();
    await grace.getByRole("button", { name: "👍 2", ...isPressed }).press("Enter");
    await ada.getByRole("button", { name: "👍 1", ...isPressed }).waitFor();
    expect(await isFocused(grace.getByRole("button", { name: "👍 1", pressed: false }))).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);

    const other = { ...SCOPE, annotationId: "due", commentId: 1, reaction: "🎉" };
    await workspace.data("/v2/reactions/add", { ...other, from: { userId: "grace", name: "Grace" } });
    await ada.getByTitle("Grace reacted with 🎉").getByRole("button", { name: "🎉 1" }).waitFor();
    await grace.getByRole("button", { name: "🎉 1", ...isPressed }).press("Enter");
    await expect.poll(() => ada.getByRole("button", { name: "🎉" }).count()).toBe(0);
    await expect.poll(() => isFocused(grace.getByLabel("Reply"))).toBe(true);
    expect(problems).toEqual([]);

    await loseResponse(page, "/v2/reactions/add");
    for (const count of [2, 1, 2]) {
      await grace.getByRole("button", { name: /^👍/ }).press("Enter");
      await ada.getByRole("button", { name: `👍 ${count}`, ...isPressed }).waitFor();
    }
  });

  test("a German page has German messages, and the templates of records whose key it does not know", async () => {
    const workspace = await service.publicWorkspace();
    const [ada, grace] = [{ userId: "ada" }, { userId: "grace", name: "Grace" }];
    await addActivities(workspace, [
      { id: "old", displayMessageTemplate: "{{actionUser}} signed" },
      { id: "newer", displayMessageTemplate: "{{actionUser}} sealed", messageKey: "activity.contract.seal" },
    ]);
    const to = { notifyUsers: [ada] };
    await addNotification(workspace, "old", { ...to, displayHeadlineMessageTemplate: "Please sign" });
    const messageKey = "notification.contract.seal";
    await addNotification(workspace, "newer", { ...to, displayHeadlineMessageTemplate: "Please seal", messageKey });
    await addAnnotations(workspace, [{ annotationId: "a", commentData: [comment({ from: ada })] }]);
    await changeAnnotations(workspace, "update", {
      updatedData: { status: { id: "DONE", name: "Erledigt", type: "terminal" } },
      ...{ actionUser: grace, triggerActivities: true, triggerNotification: true },
    });
    const { problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "customized" }]);
    const getTexts = (name: string, item: string) =>
      getRegion("ada").getByRole("region", { name, exact: true }).locator(item).allInnerTexts();
    await expect
      .poll(() => getTexts("Inbox", "strong"))
      .toEqual(["Grace hat #1 als Erledigt markiert", "Please seal", "Please sign"]);
    await expect
      .poll(() => getTexts("Aktivität", "li button"))
      .toEqual(["Grace hat eine Diskussion abgeschlossen", "ada sealed", "ada signed"]);
    expect(problems).toEqual([]);
  });

  test("components have other texts, links, and no more avatars and threads than asked for", async () => {
    const workspace = await service.publicWorkspace();
    await addActivities(workspace, [activity({ id: "signed", displayMessageTemplate: "{{actionUser}} signed" })]);
    for (const id of ["first", "second"]) await addNotification(workspace, id, { notifyUsers: [{ userId: "ada" }] });
    const users = [{ userId: "ada", view: "customized" as const }, { userId: "grace" }];
    const { page, problems, getRegion } = await openPage(service.address, workspace, users);
    const ada = getRegion("ada");

    await page.addStyleTag({ path: STYLESHEET });
    await ada.locator(".people").getByRole("button", { name: "1 more" }).waitFor();
    await ada.getByText("2 ungelesen").waitFor();
    await ada.getByRole("link").first().click();
    await ada.getByText("Selected second").waitFor();
    const feed = ada.getByRole("region", { name: "Aktivität" });
    await feed.getByText("heute").waitFor();
    await feed.getByRole("button", { name: "signed" }).click();
    await ada.getByText("Selected signed").waitFor();
    await ada.getByRole("button", { name: "Mark all as read" }).press("Enter");
    await ada.getByText("0 ungelesen").waitFor();
    await expect.poll(() => isFocused(ada.getByRole("list", { name: "Notifications" }))).toBe(true);

    await ada.getByRole("button", { name: "Ask" }).click();
    await ada.getByText("page-2", { exact: true }).waitFor();
    await ada.getByRole("button", { name: "React" }).click();
    await ada.getByText("page-2 thumbs up", { exact: true }).waitFor();
    const thread = ada.getByRole("article");
    await thread.getByRole("list", { name: "Reactions" }).getByText("thumbs up 1", { exact: true }).waitFor();
    expect(await thread.getByRole("button").or(thread.getByRole("textbox")).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    const [annotation] = await readAnnotations(workspace);
    await addComments(workspace, [{ from: { userId: "grace" } }], { annotationId: annotation?.annotationId ?? "" });
    const countUnread = async () => (await countAnnotations(workspace, "ada"))[SCOPE.documentId]?.unread;
    expect(await countUnread()).toBe(1);
    await ada.getByRole("button", { name: "Read", exact: true }).click();
    await expect.poll(countUnread).toBe(0);
    await ada.getByRole("button", { name: "Settle" }).click();
    await thread.waitFor({ state: "detached" });
    await getRegion("grace").getByText("Resolved", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
