import { expect, test } from "vitest";
import { addActivities } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, signedIn } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const RLO = "\u202E";
const service = await startTestService();

describeInBrowser("untrusted names", () => {
  test("bidirectional control characters are shown and do not affect the console's text", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/workspace/authtokens/add", { name: `x ${RLO}abc` });
    const organizationId = `acme ${RLO}evil`;
    await workspace.data("/v2/users/add", { organizationId, users: [{ userId: `u${RLO}x`, name: `Ada ${RLO}L` }] });
    const place = { organizationId, documentId: "notes", editorId: `e${RLO}x` };
    await workspace.result("/v2/crdt/add", { ...place, type: "text", data: `One ${RLO}two` });
    await workspace.data("/v2/crdt/versions/add", { ...place, name: `First ${RLO}abc` });
    const organization = encodeURIComponent(organizationId);
    const editor = `&document=notes&editor=e${encodeURIComponent(RLO)}x`;
    const views = ["settings?tab=tokens", "organizations", `organizations?organization=${organization}&tab=users`];
    views.push(`documents?organization=${organization}${editor}`);
    for (const view of [...views, `people?user=u${encodeURIComponent(RLO)}x`]) {
      await owner.follow(`/${workspace.id}/${view}`);
      await owner.loaded();
      await owner.sees("[U+202E]");
      expect(await owner.text()).not.toContain(RLO);
      expect(await owner.page.title()).not.toContain(RLO);
    }
    await owner.follow(`/${workspace.id}/settings?tab=tokens`);
    await owner.button("Revoke… x [U+202E]abc").click();
    const heading = owner.page.getByRole("dialog", { name: "Revoke x [U+202E]abc?" });
    await heading.waitFor();
    expect(await heading.locator("bdi").count()).toBeGreaterThan(0);
  });

  test("a long name fits on a phone and leaves room for the actions beside it", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const documentName = "Verylongword".repeat(22).slice(0, 256);
    const documents = [{ documentId: "engine", documentName }];
    await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", documents });
    await addCommit(workspace, `${"word".repeat(2_000)} end`);
    await owner.page.setViewportSize(PHONE);
    for (const view of ["organizations?organization=acme", "activities?organization=acme", "documents"]) {
      await owner.follow(`/${workspace.id}/${view}`);
      await owner.loaded();
      expect(await owner.overflow()).toBe(0);
      const rows = await owner.page
        .locator(".rows > li, tbody > tr")
        .evaluateAll((all) => all.map((row) => Object(row).offsetHeight));
      expect(rows.length).toBeGreaterThan(0);
      expect(Math.max(...rows)).toBeLessThan(500);
    }
    await owner.follow(`/${workspace.id}/activities?organization=acme`);
    expect((await owner.button(/^View /).boundingBox())?.height).toBeLessThan(40);
  });
});

describeInBrowser("the console of a slow or unreachable service", () => {
  test("it renders before the first response, and loads a failed script when the service is back", async () => {
    const workspace = await ownedWorkspace(service, "slow@example.com");
    const slow = await signedIn(service, "slow@example.com");
    const { promise, resolve } = Promise.withResolvers<void>();
    await slow.page.route("**/v2/**", async (route) => {
      await promise;
      await route.continue();
    });
    await slow.open(`/${workspace.id}/overview`);
    const box = await slow.page.getByRole("status", { name: "Loading" }).boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect(box?.height).toBeGreaterThan(50);
    await slow.page.getByRole("banner").getByText("Colloquy").waitFor();
    resolve();
    await slow.sees("At a glance");

    await slow.page.route("**/*", (route) => route.abort("connectionrefused"));
    await slow.page.getByRole("link", { name: "Settings" }).first().click();
    await slow.sees("The service does not respond.");
    await slow.page.unroute("**/*");
    await slow.awaits("Activity logging: on");
  });

  test("a script that an upgrade removed makes the page reload, but only once", async () => {
    const workspace = await ownedWorkspace(service, "upgrade@example.com");
    const somebody = await signedIn(service, "upgrade@example.com");
    await somebody.open(`/${workspace.id}/overview`);
    await somebody.loaded();
    let rejected = 0;
    await somebody.page.route("**/assets/SettingsPage-*", async (route) => {
      rejected += 1;
      await route.fulfill({ status: 404, body: "gone" });
    });
    await somebody.page.getByRole("link", { name: "Settings" }).first().click();
    await somebody.sees("This page's script is missing.");
    expect(rejected).toBeGreaterThan(1);
    await somebody.page.unroute("**/assets/SettingsPage-*");
    await somebody.button("Try again").click();
    await somebody.sees("Activity logging: on");
  });
});

describeInBrowser("an invalid URL", () => {
  test("an unknown page, page token or record is reported, and a missing workspace is added", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/nosuch`);
    await owner.sees("Page not found");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.follow(`/${workspace.id}/activities?organization=acme&page=invalid`);
    await owner.sees("This page of the list is no longer available");
    await owner.page.getByRole("link", { name: "Go to the first page" }).click();
    await owner.sees("Say how to start it");
    await owner.follow(`/${workspace.id}/activities?organization=acme&record=gone`);
    await owner.page.getByRole("dialog").getByText("This record does not exist, or was deleted.").waitFor();
    await owner.follow(`/${workspace.id}/documents?organization=acme&document=nope`);
    await owner.sees("This document does not exist.");
    expect(await owner.text()).not.toMatch(/Comments|Presence/);
    await owner.follow("/settings?tab=tokens");
    await owner.sees("Auth tokens");
    expect(owner.page.url()).toMatch(/\/console\/[\w-]{36}\/settings\?tab=tokens$/);
  });

  test("an unknown organization is reported until it is created", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    for (const page of ["activities", "documents", "organizations"]) {
      await owner.follow(`/${workspace.id}/${page}?organization=nope`);
      await owner.sees("Organization nope does not exist. IDs are case-sensitive.");
    }
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.follow(`/${workspace.id}/recordings?organization=nope`);
    await owner.sees("Organization nope does not exist.");
    await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "nope" }] });
    await owner.awaits("No recordings in this organization yet.");
  });

  test("a disabled organization costs no rejected request, and a link leads to the page that enables it", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    const organizationIds = ["acme"];
    await workspace.data("/v2/organizations/access/disablestate/update", { organizationIds, disabled: true });
    for (const page of ["activities", "recordings", "documents", "notifications", "presence"]) {
      await owner.followAnew(workspace.id, `/${page}?organization=acme`);
      await owner.sees("This organization is disabled");
      const calls = owner.calls.filter((path) => path !== "/v2/workspace/retention/get");
      expect(calls).toEqual(["/v2/workspace/organizations/get"]);
    }
    await owner.followAnew(workspace.id, "/activities?record=acme/1");
    await owner.sees("acme is disabled");
    await owner.sees("No activity");
    expect(owner.calls).not.toContain("/v2/activities/get");
    expect(owner.problems).toEqual([]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.getByRole("combobox", { name: "Organization" }).click();
    await owner.page.getByRole("option", { name: "acme · disabled" }).waitFor();
    await owner.page.getByRole("link", { name: "Go to the organization" }).click();
    await owner.button("Enable…").waitFor();
  });
});

describeInBrowser("a user without a record", () => {
  test("their data is found, exported and deleted, and the page reports that none is left", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "aaa" }] });
    await addCommit(workspace);
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.sees("Data in acme");
    await owner.sees("No user record, but data may exist under this ID.");
    await owner.button("Export").click();
    await owner.sees("1 record from 1 organization");
    await owner.button("Delete…").click();
    const dialog = owner.page.getByRole("dialog");
    await dialog.getByLabel("Type ada to confirm").fill("ada");
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await owner.sees("Show receipt");
    await owner.sees("No user record, and no data under this ID.");
    expect(await owner.text()).not.toMatch(/1 record from|data may exist|Data in/);
    await owner.page.getByRole("link", { name: "Show receipt" }).click();
    await owner.sees("Receipt of a deletion");
    const table = owner.page.getByRole("table").filter({ hasText: "Others' records changed" }).first();
    await expect.poll(() => table.innerText(), EVENTUALLY).toMatch(/Kind\s+Deleted\s+Others' records changed/);
    expect(await table.getByRole("row", { name: /^activities/ }).innerText()).toMatch(/activities\s+1\s+0/);
  });
});

describeInBrowser("an export", () => {
  test("an export shows its progress and can be canceled", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addCommit(workspace);
    await workspace.data("/v2/users/add", {
      organizationId: "zeta",
      users: [{ userId: "ada" }],
      createOrganization: true,
    });
    await owner.follow(`/${workspace.id}/people?user=ada&organization=acme`);
    await owner.sees("Data in acme");
    await owner.page.route("**/v2/users/data/get", () => {});
    await owner.button("Export").click();
    await owner.sees("0 of 2 organizations");
    await owner.button("Cancel export").click();
    await expect.poll(() => owner.text(), EVENTUALLY).not.toContain("of 2 organizations");
    await owner.page.unroute("**/v2/users/data/get");
    await owner.button("Export").click();
    await owner.sees("3 records from 2 organizations");
  });
});

describeInBrowser("a later page of a list", () => {
  test("that has become empty leads to the first page, and mentions no filters", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one", "two"]);
    const { pageToken } = await workspace.result("/v2/workspace/activities/get", { pageSize: 1 });
    await workspace.data("/v2/activities/delete", { organizationId: "acme", activityIds: ["one"] });
    await owner.follow(`/${workspace.id}/activities?page=${pageToken}`);
    await owner.sees("This page of the list is empty now.");
    expect(await owner.text()).not.toContain("Clear filters");
    await owner.page.getByRole("link", { name: "Go to the first page" }).click();
    await expect.poll(() => owner.page.locator("main ul.rows > li").count(), EVENTUALLY).toBe(1);
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser("a test mail", () => {
  test("its result is shown until another address is entered", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/settings?tab=email`);
    await owner.page.getByLabel("To", { exact: true }).fill("bob@x.example");
    await owner.button("Send test mail").click();
    await owner.sees("Kept in the outbox: mail to bob@x.example");
    await owner.page.getByLabel("To", { exact: true }).fill("eve@x.example");
    await expect.poll(() => owner.text(), EVENTUALLY).not.toContain("Kept in the outbox");
  });
});

describeInBrowser("a new workspace", () => {
  test("the overview reports that activity logging is off and can turn it on", async () => {
    const { workspace, owner } = await enterNewWorkspace({ activityServiceEnabled: false });
    await owner.follow(`/${workspace.id}/overview`);
    await owner.sees("Activity logging is off. Turn it on before you run this command.");
    const step = owner.page.getByRole("listitem").filter({ hasText: "Turn on activity logging" });
    expect(await step.innerText()).toContain("New activities are rejected.");
    await owner.button("Turn on… activity logging").click();
    await owner.page.getByRole("dialog").getByRole("button", { name: "Turn on", exact: true }).click();
    await expect.poll(() => owner.text(), EVENTUALLY).not.toContain("Activity logging is off");
    await expect.poll(() => step.innerText()).toMatch(/\(done\)$/);
    await owner.follow(`/${workspace.id}/recordings`);
    await owner.sees("/v2/organizations/add");
  });
});
