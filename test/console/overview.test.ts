import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { sql, uuid } from "../../src/database/sql.ts";
import { bootstrapWorkspace } from "../../src/features/workspaces/bootstrap.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = [1, 2, 7, 14, 30, 90, 365, 1826, 3653];

describeInBrowser("the steps of setting up", () => {
  test("the workspace has an owner once the service starts with the variables that they name", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const { database } = await startTestService();
    // The owner of the page is signed in to it as its owner.
    await owner.page.route("**/v2/workspace/overview/get", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"hasOwner":true', '"hasOwner":false') });
    });
    await owner.follow(`/${workspace.id}/overview`);
    await owner.sees("Nobody can request a login link");
    await owner.page.setViewportSize({ width: 390, height: 844 });
    expect(await owner.overflow()).toBe(0);
    const advice = await owner.page.locator(".checklist pre").innerText();
    await owner.page.unroute("**/v2/workspace/overview/get");
    const variables = Object.fromEntries(advice.split("\n").map((line) => line.split("=")));
    const { bootstrap, dataDir } = readConfig({ ...variables, BOOTSTRAP_AUTH_TOKEN: workspace.authToken });
    await bootstrapWorkspace(database, { bootstrap, dataDir });
    const isOfWorkspace = sql`id = ${uuid(workspace.id)}`;
    const owners = await database.run(
      sql<{ owner: string }>`select owner_email as owner from workspaces where ${isOfWorkspace}`,
    );
    expect(owners).toEqual([{ owner: "ada@example.com" }]);
  });
});

describeInBrowser("the overview", () => {
  test("every number leads to what it counts, and features have the names that people use", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const { organizationId, documentId } = SCOPE;
    await addActivities(workspace, [{ featureType: "recorder" }, { featureType: "crdt" }], {
      organizationId,
      documentId,
    });
    await owner.follow(`/${workspace.id}/overview`);
    await owner.sees("Activities (24 hours)");
    const numbers = owner.page.locator(".statistics dd:not(.note)");
    const links = await numbers.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(links).toHaveLength(await numbers.count());
    const path = (url: string) => url.replace(`/console/${workspace.id}`, "").replace(/=.*/, "");
    expect(links.slice(-5).map(path)).toEqual([
      "/activities?from",
      "/people",
      "/people",
      "/organizations",
      "/documents",
    ]);
    expect(await owner.page.locator(".legend li").allInnerTexts()).toEqual(["Recordings", "Document content"]);
    await owner.page.locator(".glance a").first().click();
    await owner.sees("Activity feed");
    await owner.sees("Recordings");
    expect(await owner.page.getByLabel("Feature").locator("option").allInnerTexts()).toContain("Your product");
    await owner.follow(`/${workspace.id}/api`);
    await owner.sees(/Every operation of this service \(version \d/);
    expect(owner.problems).toEqual([]);
  });
});

describeInBrowser("the chart of the overview", () => {
  longTest("has labels that neither overlap nor end outside of it, in any period and on a phone", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    const ages = [0, 5, 20, 80, 300, 1_500];
    await addActivities(
      workspace,
      ages.map((days) => ({ timestamp: Date.now() - days * DAY_MS })),
    );
    const labels = owner.page.locator(".chart-labels span");
    for (const width of [390, 768, 1280]) {
      await owner.page.setViewportSize({ width, height: 844 });
      for (const days of DAYS) {
        await owner.follow(`/${workspace.id}/overview?days=${days}`);
        await owner.loaded();
        await labels.first().waitFor();
        const boxes = await labels.evaluateAll((all) => all.map((label) => label.getBoundingClientRect().toJSON()));
        const { right } = await owner.page.locator(".chart-labels").evaluate((all) => all.getBoundingClientRect());
        const starts = [...boxes.slice(1).map(({ left }) => left), right];
        const overlaps = boxes.filter((box, index) => box.right > (starts[index] ?? 0));
        expect(overlaps, `${days} days in ${width} pixels`).toEqual([]);
      }
    }
  });

  test("shows the whole day and whole months", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"]);
    const bars = owner.page.locator(".chart-bars > *");
    await owner.follow(`/${workspace.id}/overview?days=1`);
    await owner.sees("Activity per hour");
    await expect.poll(() => bars.count()).toBe(24);
    await owner.follow(`/${workspace.id}/overview?days=365`);
    await owner.sees("Activity per month");
    await expect.poll(() => bars.count()).toBe(12);
  });
});
