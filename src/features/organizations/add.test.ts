import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { hashKey, ORGANIZATIONS, readRecords, setDisabled, writeRecords } from "../../../test/organizations.ts";

const service = await startTestService();
const EXISTS = { success: false, message: "Organization exists already, or is still being deleted." };

test("the response lists each organization with its key", async () => {
  const workspace = await service.workspace();
  const message = "Organization added.";
  expect(await writeRecords(workspace, ORGANIZATIONS, "add", ["acme", "größe / 7"])).toEqual({
    acme: { success: true, id: hashKey(workspace.id, "acme"), message },
    "größe / 7": { success: true, id: hashKey(workspace.id, "größe / 7"), message },
  });
});

test("an existing organization fails alone and stays unchanged", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, ORGANIZATIONS, "add", [
    { organizationId: "a", organizationName: "First", plan: "team" },
  ]);
  const again = ["a", "b"].map((organizationId) => ({ organizationId, organizationName: "Second" }));
  const results = await writeRecords(workspace, ORGANIZATIONS, "add", again);
  expect(results).toMatchObject({ a: { ...EXISTS, id: hashKey(workspace.id, "a") }, b: { success: true } });
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([
    { id: "a", disabled: false, organizationName: "First", plan: "team" },
    { id: "b", disabled: false, organizationName: "Second" },
  ]);
});

test("an organization that was created by its first record fails too, and can be described by an update", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["activity"], { organizationId: "used" });
  expect(await writeRecords(workspace, ORGANIZATIONS, "add", ["used"])).toMatchObject({ used: EXISTS });
  await writeRecords(workspace, ORGANIZATIONS, "update", [{ organizationId: "used", organizationName: "Used" }]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([
    { id: "used", disabled: false, organizationName: "Used" },
  ]);
});

test("of twelve concurrent adds of one organization exactly one succeeds", async () => {
  const workspace = await service.workspace();
  const adds = Array.from({ length: 12 }, (_, index) =>
    writeRecords(workspace, ORGANIZATIONS, "add", [{ organizationId: "acme", index }]),
  );
  const succeeded = (await Promise.all(adds)).map(({ acme }) => acme?.success);
  expect(succeeded.filter(Boolean)).toEqual([true]);
  expect(await readRecords(workspace, ORGANIZATIONS)).toMatchObject([{ index: succeeded.indexOf(true) }]);
});

test.each(["id", "disabled"])("%s, which the service sets, is rejected", async (field) => {
  const workspace = await service.workspace();
  for (const path of ["/v2/organizations/add", "/v2/organizations/update"]) {
    expect(await workspace.error(path, { organizations: [{ organizationId: "a", [field]: true }] })).toMatchObject({
      message: `data.organizations[0].${field} is not a field of this operation.`,
    });
  }
});

test("disabling and enabling keeps the description, and a disabled organization can be described", async () => {
  const workspace = await service.workspace();
  await writeRecords(workspace, ORGANIZATIONS, "add", [{ organizationId: "acme", plan: "team" }]);
  await setDisabled(workspace, true);
  await writeRecords(workspace, ORGANIZATIONS, "update", [{ organizationId: "acme", seats: 7 }]);
  const record = { id: "acme", organizationName: "", plan: "team", seats: 7 };
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([{ ...record, disabled: true }]);
  await setDisabled(workspace, false);
  expect(await readRecords(workspace, ORGANIZATIONS)).toEqual([{ ...record, disabled: false }]);
});
