import { expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { runSql } from "../run-sql.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, type Visitor } from "./visitor.ts";

const URL_OF_ENDPOINT = "https://acme.example/webhooks";

/** Opens the page of a workspace whose webhooks are on. */
async function openPage(): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const { workspace, owner } = await enterNewWorkspace();
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { isEnabled: true });
  await owner.follow(`/${workspace.id}/webhooks`);
  await owner.loaded();
  return { workspace, owner };
}

function addEndpoint(workspace: TestWorkspace) {
  return workspace.data("/v2/workspace/advancedwebhook/endpoints/create", { url: URL_OF_ENDPOINT });
}

async function getEndpoints(workspace: TestWorkspace) {
  return (await workspace.data("/v2/workspace/advancedwebhook/endpoints/get", {})).endpoints;
}

function dialogButton({ page }: Visitor, name: string) {
  return page.getByRole("dialog").getByRole("button", { name, exact: true });
}

/** Chooses an action in the menu of the endpoint. */
async function choose(owner: Visitor, action: string): Promise<void> {
  await owner.button(`Actions for ${URL_OF_ENDPOINT}`).click();
  await owner.page.getByRole("menuitem", { name: action }).click();
}

describeInBrowser("the page for webhooks", () => {
  longTest("webhooks are turned on and off", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const isEnabled = async () => (await workspace.data("/v2/workspace/advancedwebhookconfig/get", {})).isEnabled;
    await owner.follow(`/${workspace.id}/webhooks`);
    await owner.button("Turn on… webhooks").click();
    await dialogButton(owner, "Turn on").click();
    await owner.sees("No endpoints.");
    expect(await isEnabled()).toBe(true);
    await owner.button("Turn off… webhooks").click();
    await dialogButton(owner, "Turn off").click();
    await owner.button("Turn on… webhooks").waitFor();
    expect(await isEnabled()).toBe(false);
    // The list of endpoints is rejected while webhooks are off.
    expect(owner.problems.filter((problem) => !problem.includes("400"))).toEqual([]);
  });

  test("an endpoint is created by keyboard, and the field with an error takes the focus", async () => {
    const { workspace, owner } = await openPage();
    await owner.button("Create endpoint").focus();
    await owner.page.keyboard.press("Enter");
    const url = owner.page.getByLabel("URL");
    await url.and(owner.page.locator(":focus")).waitFor();
    await owner.page.keyboard.type("http://acme.example");
    const events = owner.page.getByRole("combobox", { name: "Events" });
    for (const name of ["comment.add", "comment.update"]) {
      await events.fill(name);
      await owner.page.getByRole("option", { name, exact: true }).click();
    }
    await owner.page.keyboard.press("Tab");
    await url.press("Enter");
    await owner.page.getByText("Must be an https URL").waitFor();
    await url.and(owner.page.locator(":focus")).waitFor();
    expect(await getEndpoints(workspace)).toEqual([]);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await url.fill(URL_OF_ENDPOINT);
    await url.press("Enter");
    await owner.sees("comment.add, comment.update");
    expect(await getEndpoints(workspace)).toMatchObject([
      { url: URL_OF_ENDPOINT, filterTypes: ["comment.add", "comment.update"], disabled: false, rateLimit: null },
    ]);
    expect(new Set(owner.problems)).toEqual(new Set([expect.stringContaining("400")]));
  });

  longTest("an endpoint is changed, disabled and deleted", async () => {
    const { workspace, owner } = await openPage();
    await addEndpoint(workspace);
    await owner.choose("Refresh", "Endpoints");
    await choose(owner, "Edit…");
    await owner.page.getByLabel("Rate limit").fill("10");
    await owner.page.getByRole("switch", { name: "Send events to this endpoint" }).uncheck();
    await dialogButton(owner, "Save").click();
    await owner.sees("at most 10 a second");
    await owner.sees("disabled");
    expect(await owner.focused()).toBe(`Actions for ${URL_OF_ENDPOINT}`);
    expect(await getEndpoints(workspace)).toMatchObject([{ url: URL_OF_ENDPOINT, rateLimit: 10, disabled: true }]);
    await choose(owner, "Delete…");
    await dialogButton(owner, "Delete permanently").click();
    await owner.sees("No endpoints.");
    expect(await getEndpoints(workspace)).toEqual([]);
    expect(owner.problems).toEqual([]);
  });

  test("the secret is shown only on request, and rotated", async () => {
    const { workspace, owner } = await openPage();
    const { id: endpointId } = await addEndpoint(workspace);
    const getSecret = async () =>
      (await workspace.data("/v2/workspace/advancedwebhook/endpoints/secret/get", { endpointId })).secret;
    const first = await getSecret();
    await owner.choose("Refresh", "Endpoints");
    await owner.sees(URL_OF_ENDPOINT);
    expect(await owner.page.content()).not.toContain(first);
    await choose(owner, "Show secret");
    await owner.page.getByText(first).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.button("Rotate… secret").click();
    await owner.page.getByRole("button", { name: "Rotate", exact: true }).click();
    await expect.poll(getSecret).not.toBe(first);
    await owner.page.getByText(await getSecret()).waitFor();
    expect(owner.problems).toEqual([]);
  });

  test("a delivery that waits for its next attempt is sent again", async () => {
    const { workspace, owner } = await openPage();
    const { id: endpointId } = await addEndpoint(workspace);
    const read = async () =>
      (await workspace.data("/v2/workspace/advancedwebhook/deliveries/get", { endpointId })).deliveries[0];
    const { deliveryId } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/test", { endpointId });
    await expect.poll(async () => (await read())?.attempts, EVENTUALLY).toHaveLength(1);
    const nextAt = Date.now() + 36_000_000;
    await runSql((await startTestService()).database, "update webhook_messages set next_at = $2 where id = $1", [
      deliveryId,
      nextAt,
    ]);
    await owner.choose("Refresh", "Endpoints");
    await owner.page.getByRole("link", { name: URL_OF_ENDPOINT }).click();
    const again = dialogButton(owner, `Send again message.test ${deliveryId}`);
    await owner.page.getByRole("dialog").getByText("message.test: pending").waitFor();
    expect(await again.isEnabled()).toBe(true);
    await again.click();
    await expect.poll(async () => (await read())?.attempts, EVENTUALLY).toHaveLength(2);
  });

  test("failures show in the list, a delivery shows its payload, and all failed ones are sent again", async () => {
    const { workspace, owner } = await openPage();
    const { id: endpointId } = await addEndpoint(workspace);
    const read = async () =>
      (await workspace.data("/v2/workspace/advancedwebhook/deliveries/get", { endpointId })).deliveries;
    const { deliveryId } = await workspace.data("/v2/workspace/advancedwebhook/endpoints/test", { endpointId });
    await expect.poll(async () => (await read())[0]?.attempts, EVENTUALLY).toHaveLength(1);
    const { database } = await startTestService();
    await runSql(database, "update webhook_messages set status = 'failed', next_at = null where id = $1", [deliveryId]);
    await owner.followAnew(workspace.id, "/webhooks");
    await owner.sees(/failing\s+0% of 1 delivery arrived\s+last failure just now/);
    await owner.page.getByRole("link", { name: URL_OF_ENDPOINT }).press("Enter");
    const dialog = owner.page.getByRole("dialog", { name: "Webhook endpoint" });
    await dialog.getByText("message.test: failed").waitFor();
    await dialog.getByRole("button", { name: `View payload of message.test ${deliveryId}` }).press("Enter");
    await dialog.getByText(`"webhookId": "${deliveryId}"`).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await dialog.getByLabel("Status of the delivery").selectOption("delivered");
    await dialog.getByText("No delivery has this status.").waitFor();
    await dialog.getByRole("button", { name: "Send all failed again…" }).press("Enter");
    await owner.page.getByRole("button", { name: "Send again", exact: true }).press("Enter");
    await dialog.getByText("1 delivery is sent again.").waitFor();
    await expect.poll(async () => (await read())[0]?.attempts, EVENTUALLY).toHaveLength(2);
    expect(owner.problems).toEqual([]);
  });

  longTest("a test event is sent, and its delivery shows the response and is sent again", async () => {
    const { workspace, owner } = await openPage();
    const { id: endpointId } = await addEndpoint(workspace);
    const read = async () => {
      const path = "/v2/workspace/advancedwebhook/deliveries/get";
      return (await workspace.data(path, { endpointId })).deliveries;
    };
    const dialog = owner.page.getByRole("dialog");
    await owner.choose("Refresh", "Endpoints");
    await owner.page.getByRole("link", { name: URL_OF_ENDPOINT }).press("Enter");
    await dialog.getByText("No deliveries yet.").waitFor();
    await dialogButton(owner, "Send a test event").click();
    await dialog.getByText("message.test: pending").waitFor();
    const [{ deliveryId = "" } = {}] = await read();
    await expect.poll(async () => (await read())[0]?.attempts).toHaveLength(1);
    const attempt = { attemptedAt: 1, latencyMs: 7, httpStatus: 418, response: "I am a teapot", error: null };
    await runSql(
      (await startTestService()).database,
      "update webhook_messages set status = 'delivered', next_at = null, attempts = $2::json where id = $1",
      [deliveryId, JSON.stringify([attempt])],
    );
    await dialog.getByText("message.test: delivered").waitFor();
    await dialog.getByText("HTTP 418 in 7 ms").waitFor();
    await dialog.getByText("I am a teapot").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await dialogButton(owner, `Send again message.test ${deliveryId}`).click();
    await dialog.getByText("message.test: pending").waitFor();
    await expect.poll(async () => (await read())[0]?.attempts).toHaveLength(2);
    expect(owner.problems).toEqual([]);
  });
});
