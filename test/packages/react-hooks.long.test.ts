import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addAnnotations, addComments, comment, readAnnotations } from "../comments.ts";
import { describeInBrowser } from "../console/visitor.ts";
import { addContent } from "../crdt.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { grant } from "../permissions.ts";
import { accessibilityViolations, FAILED, isFocused, openPage } from "./react-page.ts";

const service = await startTestService();
const INBOX = "/v2/notifications/get";
const ADA = { notifyUsers: [{ userId: "ada" }] };

describeInBrowser("hooks", () => {
  test("the functions of hooks stay the same, so that effects can depend on them", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const { problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "effects" }]);
    await getRegion("ada")
      .getByText(/^\d+ functions, 0 unread, 1 effects$/)
      .waitFor();
    await addNotification(workspace, "first", ADA);
    await getRegion("ada")
      .getByText(/^\d+ functions, 1 unread, 1 effects$/)
      .waitFor();
    expect(problems).toEqual([]);
  });

  test("an emptied inbox shows what else the service has, and offers no more if it has nothing", async () => {
    const workspace = await service.workspace();
    const ids = Array.from({ length: 52 }, (_, index) => `n${index}`);
    for (const id of ids.slice(0, 50)) await addNotification(workspace, id, ADA);
    const { problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada" }]);
    const inbox = getRegion("ada").getByRole("region", { name: "Inbox" });
    await inbox.getByText("50 unread").waitFor();
    for (const id of ids.slice(50)) await addNotification(workspace, id, ADA);
    await inbox.getByText("52 unread").waitFor();
    const read = (notificationIds: string[]) =>
      workspace.data("/v2/notifications/delete", { ...SCOPE, notificationIds });
    await read(ids.slice(2));
    await inbox.getByText("2 unread").waitFor();
    await expect.poll(() => inbox.getByRole("listitem").count()).toBe(2);
    await read(ids.slice(0, 2));
    await inbox.getByText("Inbox is empty.").waitFor();
    expect(await inbox.getByRole("button").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("threads have the place and the time that the service says, after changes too", async () => {
    const workspace = await service.workspace();
    const add = (annotationId: string) => addAnnotations(workspace, [annotationId]);
    await add("t1");
    const { getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "places" }]);
    const shown = getRegion("ada").getByText(/^\d+ t1 \d+$/);
    await shown.waitFor();
    await add("t2");
    await addComments(workspace, [comment()], { annotationId: "t1" });
    const stored = (await readAnnotations(workspace)).find(({ annotationId }) => annotationId === "t1");
    expect(stored?.annotationIndex).toBe(2);
    await expect.poll(() => shown.textContent()).toMatch(/^2 /);
    const readTime = async () => Number((await shown.textContent())?.split(" ").at(-1));
    await expect.poll(readTime).toBeGreaterThanOrEqual(stored?.lastUpdated ?? 0);
  });

  test("hooks and components with the same inbox read it once", async () => {
    const workspace = await service.workspace();
    await addNotification(workspace, "first", ADA);
    const reads: string[] = [];
    const { problems, getRegion } = await openPage(
      service.address,
      workspace,
      [{ userId: "ada", view: "inboxes" }],
      (page) =>
        Promise.resolve(page.on("request", (request) => request.url().endsWith(INBOX) && reads.push(request.method()))),
    );
    const ada = getRegion("ada");
    await ada.getByText("1 in the inbox").waitFor();
    await ada.getByRole("button", { name: "Mark as read" }).click();
    await ada.getByText("0 in the inbox").waitFor();
    await ada.getByText("0 unread").waitFor();
    expect(reads.filter((method) => method === "POST")).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test("archiving, restoring and deleting move a notification between inbox and archive", async () => {
    const workspace = await service.workspace();
    for (const id of ["first", "second"]) await addNotification(workspace, id, ADA);
    const { problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "boxes" }]);
    const ada = getRegion("ada");
    const show = async (...texts: string[]) => {
      for (const text of texts) await ada.getByText(text, { exact: true }).waitFor();
    };
    await show("exclude second first 2 unread", "only 2 unread", "include second first 2 unread");
    await ada.getByRole("button", { name: "archive" }).click();
    await show("exclude second 1 unread", "only first 1 unread", "include second first 1 unread");
    await ada.getByRole("button", { name: "restore" }).click();
    await show("exclude second first 1 unread", "only 1 unread", "include second first 1 unread");
    await ada.getByRole("button", { name: "archive" }).click();
    await show("exclude second 1 unread", "only first 1 unread");
    await ada.getByRole("button", { name: "remove" }).click();
    await show("exclude second 1 unread", "only 1 unread", "include second 1 unread");
    expect(problems).toEqual([]);
  });

  test("the number of unread threads falls when the user reads them elsewhere", async () => {
    const workspace = await service.workspace();
    await addAnnotations(workspace, ["t1", "t2"]);
    await grant(workspace, "ada", "organization");
    const { problems, getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "unread" }]);
    const ada = getRegion("ada");
    await ada.getByText("0 unread threads").waitFor();
    await addComments(workspace, [comment({ from: { userId: "grace" } })], { annotationId: "t1" });
    await ada.getByText("1 unread threads").waitFor();
    await workspace.data("/v2/commentannotations/read", { ...SCOPE, userId: "ada" });
    await ada.getByText("0 unread threads").waitFor();
    expect(problems).toEqual([]);
  });

  test("the feed of an organization follows the documents that the user may read, and no others", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["first"]);
    const closed = { organizationId: SCOPE.organizationId, documents: [{ documentId: "closed" }] };
    await workspace.data("/v2/organizations/documents/add", closed);
    await workspace.data("/v2/organizations/documents/access/update", {
      ...{ organizationId: SCOPE.organizationId, documentIds: ["closed"], accessType: "restricted" },
    });
    const { problems, getRegion } = await openPage(service.address, workspace, [
      { userId: "ada", view: "organization" },
    ]);
    const ada = getRegion("ada");
    await ada.getByText("activities first", { exact: true }).waitFor();
    await addActivities(workspace, ["hidden"], { documentId: "closed" });
    await addActivities(workspace, ["second"], { documentId: "contract-8" });
    await ada.getByText("activities second first", { exact: true }).waitFor();
    await workspace.data("/v2/organizations/documents/delete", {
      ...{ organizationId: SCOPE.organizationId, documentIds: ["contract-8"] },
    });
    await ada.getByText("activities first", { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a list that could not be read is read by a retry", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const fail = (page: Page) => page.route("**/v2/activities/get", (route) => route.fulfill(FAILED), { times: 1 });
    const { getRegion } = await openPage(service.address, workspace, [{ userId: "ada" }], fail);
    const feed = getRegion("ada").getByRole("region", { name: "Activity" });
    await feed.getByText("It fails.").waitFor();
    await feed.getByRole("button", { name: "Try again" }).press("Enter");
    await feed.getByRole("listitem").waitFor();
    expect(await isFocused(feed.getByRole("group", { name: "Activity" }))).toBe(true);
  });

  test("one retry revives all lists, which end together if the service rejects their stream", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    // The client tries the stream of all tabs twice, and then one of its own.
    const reject = (page: Page) =>
      page.route("**/v2/events/stream?*documentIds=*", (route) => route.fulfill(FAILED), { times: 3 });
    const { page, getRegion } = await openPage(service.address, workspace, [{ userId: "ada" }], reject);
    const ada = getRegion("ada");
    await expect.poll(() => ada.getByText("It fails.").count()).toBe(3);
    expect(await accessibilityViolations(page)).toEqual([]);
    await ada.getByRole("button", { name: "Try again" }).first().click();
    await expect.poll(() => ada.getByText("It fails.").count()).toBe(0);
    await ada.getByRole("list", { name: "In this document" }).getByText("The user ada").waitFor();
    await addActivities(workspace, ["signed"]);
    await ada.getByRole("region", { name: "Activity" }).getByRole("button", { name: "and 1 more" }).waitFor();
  });

  test("a retry at the moment of an error reconnects a document whose socket is still closing", async () => {
    const workspace = await service.workspace();
    await addContent(workspace, { editorId: "clause-1", type: "text", data: "other" });
    const { page, getRegion } = await openPage(service.address, workspace, [{ userId: "ada", view: "retrying" }]);
    await expect.poll(() => page.evaluate("window.errorCount")).toBeGreaterThan(2);
    await addContent(workspace, { editorId: "missing", type: "text", data: "final" });
    await getRegion("ada").getByText("Saved", { exact: true }).waitFor();
  });
});
