import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import type { TestWorkspace } from "../harness.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, type Visitor } from "./visitor.ts";

/** Interval at which the page of presence reads it whatever happens. */
const REGULAR_READ_MS = 30_000;

/** Opens a list of a workspace to which somebody has listened before, so that nothing is missed. */
async function openList(path: string): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const { workspace, owner } = await enterNewWorkspace();
  await addActivities(workspace, ["one"]);
  await workspace.data("/v2/events/get", { organizationId: "acme" });
  await owner.follow(`/${workspace.id}${path}`);
  await owner.loaded();
  return { workspace, owner };
}

/**
 * Prepares that the page gets the next events right before the next response of an operation, however long the service
 * takes for both. Returns what begins that.
 */
async function delayRead({ page }: Visitor, path: string): Promise<() => void> {
  const [read, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHolding = false;
  // A response with no events may take half a minute.
  const fetch = (route: Route) => route.fetch({ timeout: 0 });
  await page.route("**/v2/events/get", async (route) => {
    const response = await fetch(route);
    const { result } = await response.json();
    const isNews = isHolding && result.data.events.length > 0;
    if (isNews) await read.promise;
    await route.fulfill({ response });
    if (isNews) sent.resolve();
  });
  await page.route(`**${path}`, async (route) => {
    const response = await fetch(route);
    if (isHolding) {
      read.resolve();
      await sent.promise;
    }
    await route.fulfill({ response });
  });
  return () => {
    isHolding = true;
  };
}

describeInBrowser("lists that change while they are shown", () => {
  test("say how many records are new, and show them on request", async () => {
    const { workspace, owner } = await openList("/activities?organization=acme");
    const rows = owner.page.locator("main ul.rows > li");
    expect(await rows.count()).toBe(1);
    await addActivities(workspace, ["two", "three"]);
    await owner.button("Show 2 new").waitFor();
    expect(await rows.count()).toBe(1);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await addActivities(workspace, ["four"]);
    await owner.button("Show 3 new").click();
    await expect.poll(() => rows.count()).toBe(4);
    await owner.button(/^Show/).waitFor({ state: "detached" });
    expect(owner.problems).toEqual([]);
  });

  test("keep the button that shows what is new in view while they are scrolled", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(
      workspace,
      Array.from({ length: 50 }, (_, index) => `activity-${index}`),
    );
    await workspace.data("/v2/events/get", { organizationId: "acme" });
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.loaded();
    await owner.page.locator("main ul.rows > li").last().scrollIntoViewIfNeeded();
    await addActivities(workspace, ["two"]);
    const button = owner.button("Show 1 new");
    await button.waitFor();
    const header = await owner.page.getByRole("banner").boundingBox();
    expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
  });

  test("stay as they are when the window is shown again", async () => {
    const { workspace, owner } = await openList("/activities?organization=acme");
    const rows = owner.page.locator("main ul.rows > li");
    await addActivities(workspace, ["two"]);
    await owner.button("Show 1 new").waitFor();
    owner.calls = [];
    await owner.showAgain();
    // The console reads the list of workspaces then, which shows that it has noticed.
    await expect.poll(() => owner.calls).toContain("/v2/workspaces/get");
    await owner.loaded();
    expect(owner.calls).toEqual(["/v2/workspaces/get"]);
    expect(await rows.count()).toBe(1);
  });

  test("say nothing of changes that a filter may hide, or of other organizations", async () => {
    const { workspace, owner } = await openList("/activities?organization=acme&user=grace");
    await addActivities(workspace, ["two"]);
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.loaded();
    await addActivities(workspace, ["three"], { organizationId: "globex" });
    await addActivities(workspace, ["four"]);
    await owner.button("Show 1 new").waitFor();
  });

  test("of comments, users, documents, notifications and recordings, too", async () => {
    const { workspace, owner } = await openList("/activities?organization=acme");
    const scope = { organizationId: "acme", documentId: "contract-7" };
    const isTold = async (path: string, change: () => Promise<unknown>) => {
      await change();
      await owner.follow(`/${workspace.id}${path}`);
      await owner.loaded();
      await change();
      await owner.button("Show 1 new").click();
      await owner.button(/^Show/).waitFor({ state: "detached" });
    };
    let count = 0;
    await isTold("/organizations?organization=acme&tab=users", () =>
      workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: `user-${count++}` }] }),
    );
    await isTold("/recordings?organization=acme", () =>
      workspace.data("/v2/recordings/add", { ...scope, recordings: [{ from: { userId: "ada" } }] }),
    );
    await isTold("/notifications?organization=acme&document=contract-7", () =>
      workspace.data("/v2/notifications/add", {
        ...{ ...scope, actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }], notifyAll: false },
        ...{ displayHeadlineMessageTemplate: "Sign", displayBodyMessage: "Please." },
      }),
    );
    await isTold("/documents?organization=acme&document=contract-7", () =>
      workspace.data("/v2/commentannotations/add", {
        ...scope,
        commentAnnotations: [{ commentData: [{ from: { userId: "ada" } }, { from: { userId: "grace" } }] }],
      }),
    );
    expect(owner.problems).toEqual([]);
  });

  test("say that they may have changed when a document is deleted, and read the live ones again", async () => {
    const { workspace, owner } = await openList("/activities?organization=acme");
    await workspace.data("/v2/organizations/documents/delete", { organizationId: "acme", documentIds: ["contract-7"] });
    await owner.button("May have changed · Refresh").click();
    await owner.sees("No activity in acme yet");
    await workspace.data("/v2/presence/add", { ...SCOPE, users: [{ userId: "zoe" }] });
    await owner.follow(`/${workspace.id}/presence?organization=acme`);
    await owner.sees("zoe");
    await workspace.data("/v2/organizations/documents/delete", { organizationId: "acme", documentIds: ["contract-7"] });
    await expect.poll(() => owner.text(), { timeout: REGULAR_READ_MS / 2 }).not.toContain("zoe");
    expect(owner.problems).toEqual([]);
  });

  test.each(["/activities", "/activities?query=lease", "/overview"])(
    "%s of all organizations says how many are new, too",
    async (path) => {
      const { workspace, owner } = await enterNewWorkspace();
      const lease = (id: string) => ({ id, displayMessageTemplate: "Signed the lease" });
      await addActivities(workspace, [lease("one")]);
      await owner.follow(`/${workspace.id}${path}`);
      await owner.loaded();
      const rows = owner.page.locator("main ul.rows:not(.checklist) > li");
      await addActivities(workspace, [lease("two")], { organizationId: "globex" });
      await addActivities(workspace, [lease("three")]);
      await owner.button("Show 2 new").waitFor();
      expect(await rows.count()).toBe(1);
      await owner.button("Show 2 new").click();
      await expect.poll(() => rows.count()).toBe(3);
      expect(owner.problems).toEqual([]);
    },
  );

  test("show their first records by themselves", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/overview`);
    await owner.sees("No activity yet.");
    await addActivities(workspace, [{ id: "one", displayMessageTemplate: "Signed the lease" }]);
    await owner.sees("Signed the lease");
    // The event log of a workspace begins with the first call that reads it.
    const isListening = owner.page.waitForResponse("**/v2/events/get");
    await owner.follow(`/${workspace.id}/recordings?organization=acme`);
    await owner.sees("No recordings");
    await isListening;
    const from = { userId: "ada" };
    const recordings = [{ from, displayName: "A walk through the lease" }];
    await workspace.data("/v2/recordings/add", { organizationId: "acme", documentId: "contract-7", recordings });
    await owner.sees("A walk through the lease");
  });

  test.each(["/organizations?tab=users&", "/people?"])(
    "%s of a disabled organization asks for no events, which the service would reject",
    async (path) => {
      const { workspace, owner } = await enterNewWorkspace();
      await workspace.data("/v2/users/add", { organizationId: "acme", users: [{ userId: "ada", name: "Ada" }] });
      const disabled = { organizationIds: ["acme"], disabled: true };
      await workspace.data("/v2/organizations/access/disablestate/update", disabled);
      const asked: string[] = [];
      owner.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await owner.follow(`/${workspace.id}${path}organization=acme`);
      await owner.sees("1 user");
      await owner.loaded();
      expect(asked).not.toContain("/v2/events/get");
      expect(owner.problems).toEqual([]);
    },
  );

  test("say that they may have changed when the service no longer has the events", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"]);
    const reset = { result: { data: { events: [], cursor: "later", isReset: true } } };
    await owner.page.route("**/v2/events/get", (route) => route.fulfill({ json: reset }));
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.button("May have changed").waitFor();
    await owner.page.unrouteAll();
    await addActivities(workspace, ["two"]);
    await owner.button("May have changed").click();
    await expect.poll(() => owner.page.locator("main ul.rows > li").count()).toBe(2);
    await owner.button("May have changed").waitFor({ state: "detached" });
  });

  test("say that live updates are paused until the service responds, even if nothing happens then", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"]);
    await workspace.data("/v2/events/get", { organizationId: "acme" });
    await owner.page.route("**/v2/events/get", (route) => route.abort());
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    await owner.sees("Live updates paused");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.unrouteAll();
    await owner.page.getByText("Live updates paused").waitFor({ state: "detached" });
  });

  test("do not read the console's own change of a thread twice, or what it does not affect", async () => {
    const scope = { organizationId: "acme", documentId: "contract-7" };
    const { workspace, owner } = await openList("/people");
    const from = { userId: "ada" };
    const commentAnnotations = [{ annotationId: "a", commentData: [{ from, commentText: "Thirty days?" }] }];
    await workspace.data("/v2/commentannotations/add", { ...scope, commentAnnotations });
    const beginDelay = await delayRead(owner, "/v2/commentannotations/get");
    await owner.follow(`/${workspace.id}/documents?organization=acme&document=contract-7&record=a`);
    const drawer = owner.page.getByRole("dialog");
    await drawer.getByText("Thirty days?").waitFor();
    await owner.loaded();
    owner.calls = [];
    beginDelay();
    await drawer.getByRole("button", { name: "Resolve" }).click();
    await drawer.getByRole("button", { name: "Reopen" }).waitFor();
    const commentData = [{ from, commentText: "Sixty." }];
    await workspace.data("/v2/commentannotations/comments/add", { ...scope, annotationId: "a", commentData });
    await drawer.getByText("Sixty.").waitFor();
    const list = "/v2/commentannotations/get";
    const reads = owner.calls.filter((path) => path.endsWith("/get"));
    expect(reads.toSorted()).toEqual([list, list, "/v2/organizations/documents/get"]);
  });

  test.each(["organization=acme", "organization=acme&document=contract-7"])(
    "of presence are current before the next regular read: %s",
    async (parameters) => {
      const { workspace, owner } = await openList(`/presence?${parameters}`);
      const scope = { organizationId: "acme", documentId: "contract-7" };
      const opened = performance.now();
      for (const name of ["Ada Lovelace", "Grace Hopper"]) {
        await workspace.data("/v2/presence/add", { ...scope, users: [{ userId: name, name, status: "online" }] });
        await owner.sees(name);
      }
      expect(performance.now() - opened).toBeLessThan(REGULAR_READ_MS);
      expect(await owner.button(/^Show/).count()).toBe(0);
    },
  );
});
