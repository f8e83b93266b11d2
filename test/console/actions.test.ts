import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { post, startTestService, type TestWorkspace } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { addCommit } from "./commit.ts";
import { describeInBrowser, EVENTUALLY, signedIn, type Visitor } from "./visitor.ts";

const service = await startTestService();
let owners = 0;

/** A workspace and its owner, who has signed in. */
async function owned(): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const email = `owner-${++owners}@example.com`;
  const workspace = await ownedWorkspace(service, email);
  return { workspace, owner: await signedIn(service, email) };
}

/** The button of the dialog that is open. */
function confirm({ page }: Visitor, name: string): Promise<void> {
  return page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

describeInBrowser("what an owner does takes effect", () => {
  test("a token that was created lets a backend in until it is revoked, and is shown once", async () => {
    const { workspace, owner } = await owned();
    await owner.open(`/${workspace.id}/settings?tab=tokens`);
    await owner.button("Create a token").click();
    await owner.page.getByLabel("Name").fill("billing");
    await confirm(owner, "Create");
    const authToken = await owner.page.getByLabel("Auth token of billing").innerText();
    const request = () =>
      post(
        `${service.address}/v2/organizations/get`,
        {},
        { "x-service-api-key": workspace.apiKey, "x-service-auth-token": authToken.trim() },
      );
    expect(await request()).toMatchObject({ httpStatus: 200 });
    await confirm(owner, "Done");
    await owner.page.reload();
    await owner.sees("billing");
    expect(await owner.page.content()).not.toContain(authToken.trim());

    await owner.button("Revoke… billing").click();
    await confirm(owner, "Revoke for good");
    await owner.button("Revoke… billing").waitFor({ state: "detached" });
    expect(await request()).toMatchObject({ httpStatus: 403, body: { error: { status: "PERMISSION_DENIED" } } });
    expect(owner.problems).toEqual([]);
  });

  test("an organization that was disabled refuses a write until it is enabled", async () => {
    const { workspace, owner } = await owned();
    await addCommit(workspace);
    await owner.open(`/${workspace.id}/organizations?organization=acme`);
    await owner.button("Disable…").click();
    await owner.page.getByRole("dialog").getByText("Nothing is deleted").waitFor();
    await confirm(owner, "Disable");
    await owner.button("Enable…").waitFor();
    const add = { organizationId: "acme", documentId: "engine", activities: [] };
    expect(await workspace.error("/v2/activities/add", { ...add, activities: [ACTIVITY] })).toMatchObject({
      httpStatus: 403,
      status: "PERMISSION_DENIED",
    });
    await owner.button("Enable…").click();
    await confirm(owner, "Enable");
    await owner.button("Disable…").waitFor();
    await addCommit(workspace);
    expect(owner.problems).toEqual([]);
  });

  test("a person is deleted, the progress ends, and the receipt says what the API says", async () => {
    const { workspace, owner } = await owned();
    for (const organizationId of ["acme", "beta", "gamma"]) await storeAda(workspace, organizationId);
    await owner.open(`/${workspace.id}/people?user=ada`);
    await owner.sees("Stored in acme");
    await owner.button("Delete…").click();
    const dialog = owner.page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Delete for good" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type ada to go on").fill("ada");
    await confirm(owner, "Delete for good");

    const progress = owner.page.getByRole("progressbar", { name: "Deleted" });
    await expect.poll(() => progress.getAttribute("aria-valuenow"), EVENTUALLY).toBe("100");
    await owner.sees("Done");
    const jobId = new URL(owner.page.url()).searchParams.get("job") ?? "";
    const status = await workspace.data("/v2/users/data/delete/status", { jobId });
    expect(status).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 });
    const rows = await owner.page.getByRole("region", { name: "Deletion" }).locator("tbody tr").allInnerTexts();
    expect(rows.map((row) => row.split("\t"))).toEqual(
      status.receipt?.map(({ organizationId, kind, deleted, stripped }) => [
        organizationId,
        kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        String(deleted),
        String(stripped),
      ]),
    );
    expect(rows.length).toBeGreaterThan(3);

    const downloaded = owner.page.waitForEvent("download");
    await owner.button("Download the receipt").click();
    const file = JSON.parse(await readFile(await (await downloaded).path(), "utf8"));
    expect(file).toMatchObject({ jobId, receipt: status.receipt });
    await owner.sees("Nothing is stored about ada in this organization.");
    expect(owner.problems).toEqual([]);
  });

  test("a filter is in the address; Back takes it away, and a reload keeps it", async () => {
    const { workspace, owner } = await owned();
    await addCommit(workspace, "Begin");
    await addCommit(workspace, "Change it", { actionUser: { userId: "grace", name: "Grace Hopper" } });
    await owner.open(`/${workspace.id}/activities?organization=acme`);
    await owner.sees("Begin");
    await owner.page.getByRole("link", { name: "Grace Hopper" }).click();
    await expect.poll(() => owner.text()).not.toContain("Begin");
    expect(new URL(owner.page.url()).searchParams.get("user")).toBe("grace");
    await owner.page.reload();
    await owner.sees("Change it");
    expect(await owner.text()).not.toContain("Begin");
    await owner.page.getByLabel("Feature").selectOption("crdt");
    await owner.sees("No activity is like this.");
    await owner.page.goBack();
    await owner.sees("Change it");
    await owner.page.goBack();
    await owner.sees("Begin");
  });

  test("what happens shows up on the overview without a hand", async () => {
    const { workspace, owner } = await owned();
    await owner.open(`/${workspace.id}/overview`);
    await owner.sees("Nothing has happened yet.");
    await addCommit(workspace, "While somebody looks on");
    await owner.sees("Ada Lovelace: While somebody looks on");
  });
});

const ACTIVITY = {
  ...{ featureType: "custom" as const, actionType: "commit.add", targetEntityId: "main" },
  actionUser: { userId: "ada", name: "Ada Lovelace" },
};

/** Something of hers in the organization, and something of somebody else's that names her. */
async function storeAda(workspace: TestWorkspace, organizationId: string): Promise<void> {
  const users = [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com" }];
  await workspace.data("/v2/users/add", { organizationId, users });
  const place = { organizationId, documentId: "engine" };
  await workspace.data("/v2/activities/add", { ...place, activities: [ACTIVITY] });
  await workspace.data("/v2/notifications/add", {
    ...place,
    actionUser: { userId: "grace", name: "Grace Hopper" },
    notifyUsers: [{ userId: "ada", name: "Ada Lovelace" }],
    displayHeadlineMessageTemplate: "{actionUser} asks you to sign",
    displayBodyMessage: "By Friday.",
    displayHeadlineMessageTemplateData: { actionUser: { userId: "grace", name: "Grace Hopper" } },
  });
}
