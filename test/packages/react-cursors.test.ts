import { expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { workspaceWithDocument } from "../events.ts";
import { SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { tokenFor } from "../user-tokens.ts";
import { openPage } from "./react-page.ts";

const BROADCAST = "/v2/presence/broadcast";
const service = await startTestService();

describeInBrowser("cursors of two users", () => {
  test("each sees what the others share until they leave, also a viewer and further pages of one user", async () => {
    const workspace = await workspaceWithDocument(service);
    const resources = [
      { type: "document" as const, id: SCOPE.documentId, organizationId: "acme", accessRole: "viewer" as const },
    ];
    const view = "cursors" as const;
    const viewer = { userId: "grace", view, token: await tokenFor(workspace, "grace", { resources }) };
    const calls: string[] = [];
    const { problems, getRegion } = await openPage(
      service.address,
      workspace,
      [{ userId: "ada", view }, viewer],
      async (page) => {
        page.on("request", (request) => request.url().endsWith(BROADCAST) && calls.push(request.postData() ?? ""));
      },
    );
    const [ada, grace] = [getRegion("ada"), getRegion("grace")];
    await grace.getByText('The user ada {"color":"red"}', { exact: true }).waitFor();
    await ada.getByText('The user grace {"color":"red"}', { exact: true }).waitFor();
    const before = calls.filter((body) => body.includes('"x"')).length;
    await grace.getByRole("button", { name: "Move" }).click();
    await ada.getByText('The user grace {"color":"red","x":60}', { exact: true }).waitFor();
    await grace.getByText("Own: red 60", { exact: true }).waitFor();
    expect(calls.filter((body) => body.includes('"x"')).length - before).toBeLessThanOrEqual(2);

    const another = await openPage(service.address, workspace, [{ userId: "ada", view }]);
    await another.getRegion("ada").getByText("2 others", { exact: true }).waitFor();
    await grace.getByText("2 others", { exact: true }).waitFor();
    // A tab that is closed takes its cursor with it, although its user is still there.
    await another.page.goto("about:blank");
    await grace.getByText("1 others", { exact: true }).waitFor();
    await grace.getByRole("button", { name: "Leave" }).click();
    await ada.getByText("0 others", { exact: true }).waitFor();
    await grace.getByRole("button", { name: "Enter" }).click();
    await ada.getByText('The user grace {"color":"red"}', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
