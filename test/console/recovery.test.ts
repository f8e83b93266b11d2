import { expect, test } from "vitest";
import { addActivities } from "../factories.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { describeInBrowser, signedIn, type Visitor } from "./visitor.ts";

const DOWN = "The service does not respond.";

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

describeInBrowser("a service that was away", () => {
  test("its data appears by itself once it is back, first the console and then its panels", async () => {
    const { owner } = await openWhileDown("away@example.com", "/activities");
    await owner.sees(DOWN);
    await owner.page.unrouteAll();
    await owner.page.route("**/v2/workspace/activities/get", (route) => {
      const error = { status: "UNAVAILABLE", message: "The database is away." };
      return route.fulfill({ status: 503, json: { error } });
    });
    await owner.sees("The database is away.");
    await owner.page.unrouteAll();
    await owner.sees("Signed the lease");
    expect(await owner.page.getByRole("alert").count()).toBe(0);
  });

  test("the overview reports it once", async () => {
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
});
