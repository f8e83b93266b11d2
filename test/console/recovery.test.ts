import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { longTest, size } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, signedIn, type Visitor } from "./visitor.ts";

const DOWN = "The service does not respond.";
const AWAY = { status: "UNAVAILABLE", message: "The database is away." };

/** Opens a page of a new workspace while no request to the API gets through. */
async function openWhileDown(email: string, path: string): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const service = await startTestService();
  const workspace = await ownedWorkspace(service, email);
  await addActivities(workspace, [{ id: "one", displayMessageTemplate: "Signed the lease" }]);
  const owner = await signedIn(service, email);
  await owner.page.route("**/v2/**", (route) => route.abort("connectionrefused"));
  await owner.open(`/${workspace.id}${path}`);
  return { workspace, owner };
}

const FOLDERS = "/v2/organizations/folders/get";
const ENDPOINTS = "/v2/workspace/advancedwebhook/endpoints";
const DELIVERIES = "/v2/workspace/advancedwebhook/deliveries/get";
const ENDPOINT = { url: "https://acme.example/webhooks" };

/** Adds the folder Contracts with another one and a document in it. */
async function addFolders(workspace: TestWorkspace): Promise<void> {
  const folders = [{ folderId: "contracts" }, { folderId: "drafts", parentFolderId: "contracts" }];
  await workspace.data("/v2/organizations/folders/add", { organizationId: "acme", folders });
  const documents = { folderId: "contracts", documents: [{ documentId: "lease" }] };
  await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", ...documents });
}

async function addEndpoint(workspace: TestWorkspace): Promise<void> {
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  await workspace.data(`${ENDPOINTS}/create`, ENDPOINT);
}

const MESSAGE = { displayHeadlineMessageTemplate: "Sign this", displayBodyMessage: "By Friday." };

async function addNotification(workspace: TestWorkspace): Promise<void> {
  const users = { actionUser: { userId: "ada" }, notifyUsers: [{ userId: "grace" }] };
  await workspace.data("/v2/notifications/add", { ...SCOPE, ...users, ...MESSAGE });
}

function getControl({ page }: Visitor, name: string | RegExp) {
  const [button, link] = [page.getByRole("button", { name }), page.getByRole("link", { name })];
  return button.or(link).or(page.getByRole("menuitem", { name })).first();
}

/** Parts of pages that read once they are opened: what they call, the data they need, the page, and what opens them. */
const ALL_PARTS = [
  ["a notification", "/v2/notifications/explain", addNotification, "notifications?organization=acme", [/^View /]],
  ["a folder of the tree", FOLDERS, addFolders, "documents?organization=acme", ["Folders in contracts"]],
  ["the select of a folder", FOLDERS, addFolders, "documents?organization=acme&document=lease", ["Move… lease"]],
  ["deliveries", DELIVERIES, addEndpoint, "webhooks", [ENDPOINT.url]],
  ["a secret", `${ENDPOINTS}/secret/get`, addEndpoint, "webhooks", [`Actions for ${ENDPOINT.url}`, "Show secret"]],
] as const;
const PARTS = size<readonly (typeof ALL_PARTS)[number][]>({ usual: ALL_PARTS.slice(0, 1), long: ALL_PARTS });

describeInBrowser("a service that was away", () => {
  test("its data appears without a reload once it is back, first the console and then its panels", async () => {
    const { owner } = await openWhileDown("away@example.com", "/activities");
    await owner.sees(DOWN);
    await owner.page.unrouteAll();
    await owner.page.route("**/v2/workspace/activities/get", (route) => {
      return route.fulfill({ status: 503, json: { error: AWAY } });
    });
    await owner.sees("The database is away.");
    await owner.page.unrouteAll();
    await owner.sees("Signed the lease");
    expect(await owner.page.getByRole("alert").count()).toBe(0);
  });

  longTest("its data appears without a reload once a proxy in front of it stops sending pages of its own", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, [{ id: "one", displayMessageTemplate: "Signed the lease" }]);
    await owner.page.route("**/v2/workspace/activities/get", (route) => {
      return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" });
    });
    await owner.follow(`/${workspace.id}/activities`);
    await owner.sees("The service responded with HTTP 502.");
    await owner.page.unrouteAll();
    await owner.sees("Signed the lease");
  });

  longTest("the overview reports it once", async () => {
    const { owner } = await openWhileDown("overview@example.com", "/overview");
    await owner.page.route("**/v2/workspaces/get", (route) => route.continue());
    await owner.sees("At a glance");
    await owner.sees(DOWN);
    await owner.loaded();
    expect(await owner.page.getByRole("alert").count()).toBe(1);
    await owner.page.unrouteAll();
    await owner.sees("Signed the lease");
    await owner.sees("Finish setup");
  });

  test.each(PARTS)("the error of %s stays while it is read again", async (_, operation, fill, path, openers) => {
    const { workspace, owner } = await enterNewWorkspace();
    await fill(workspace);
    await owner.follow(`/${workspace.id}/${path}`);
    await owner.loaded();
    const alert = owner.page.getByRole("alert").filter({ hasText: "The database is away." });
    await owner.page.route(`**${operation}`, (route) => route.fulfill({ status: 503, json: { error: AWAY } }));
    for (const name of openers) await getControl(owner, name).click();
    await alert.waitFor();
    let isDelayed = false;
    await owner.page.route(`**${operation}`, () => {
      isDelayed = true;
    });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => isDelayed, EVENTUALLY).toBe(true);
    expect(await alert.count()).toBe(1);
  });
});
