import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../console/visitor.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startTestService } from "../harness.ts";
import { addNotification } from "../notifications.ts";
import { installReact, openPage } from "./react-page.ts";

const service = await startTestService();
const ADA = { notifyUsers: [{ userId: "ada" }] };

describeInBrowser("lists", () => {
  let folder: string;
  const place = () => ({ folder, address: service.address });
  beforeAll(async () => {
    folder = await installReact();
  });

  test("the functions of hooks stay the same, so that effects can depend on them", async () => {
    const workspace = await service.workspace();
    await addActivities(workspace, ["drafted"]);
    const { problems, regionOf } = await openPage(place(), workspace, [{ userId: "ada", view: "effects" }]);
    await regionOf("ada")
      .getByText(/^\d+ functions, 0 unread, 1 effects$/)
      .waitFor();
    await addNotification(workspace, "first", ADA);
    await regionOf("ada")
      .getByText(/^\d+ functions, 1 unread, 1 effects$/)
      .waitFor();
    expect(problems).toEqual([]);
  });

  test("an emptied inbox shows what else the service has, and offers no more if it has nothing", async () => {
    const workspace = await service.workspace();
    const ids = Array.from({ length: 52 }, (_, index) => `n${index}`);
    for (const id of ids.slice(0, 50)) await addNotification(workspace, id, ADA);
    const { problems, regionOf } = await openPage(place(), workspace, [{ userId: "ada" }]);
    const inbox = regionOf("ada").getByRole("region", { name: "Inbox" });
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
});
