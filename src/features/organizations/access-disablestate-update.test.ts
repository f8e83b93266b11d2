import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { credentialsIn } from "../../../test/examples.ts";
import { addActivities, readActivityIds } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { operations } from "../../operations.ts";

const PATH = "/v2/organizations/access/disablestate/update";
const service = await startTestService();
const second = await service.secondProcess();

/**
 * Operations on the documents of an organization and their data. Others manage the organization and who uses it, or
 * read the request log of the workspace, which they can limit to an organization.
 */
const dataOperations = operations.filter(
  ({ path, request }) =>
    "organizationId" in Object(request).properties &&
    !/^\/v\d\/(organizations\/(?!documents\/)|users\/|auth\/|workspace\/requests\/)/.test(path),
);

function setDisabled(workspace: TestWorkspace, disabled: boolean, organizationIds = ["acme"]) {
  return workspace.data(PATH, { organizationIds, disabled });
}

function getKey(workspace: TestWorkspace, organizationId: string): string {
  return hash("sha256", Buffer.from(`${workspace.id}\0${organizationId}`), "buffer").toString("hex", 0, 16);
}

function buildRequest(workspace: TestWorkspace, example: unknown): object {
  return { ...Object(example), organizationId: "acme", ...credentialsIn(workspace, example) };
}

test("the response has each organization's key: 16 bytes of the SHA-256 of workspace, U+0000 and id", async () => {
  const workspace = await service.workspace();
  expect(await setDisabled(workspace, true, ["acme", "größe / 7"])).toEqual({
    acme: { success: true, id: getKey(workspace, "acme"), message: "Organization disabled." },
    "größe / 7": { success: true, id: getKey(workspace, "größe / 7"), message: "Organization disabled." },
  });
});

test.each([true, false])("a missing organization is created with disabled %s", async (disabled) => {
  const workspace = await service.workspace();
  await setDisabled(workspace, disabled, ["new"]);
  const organizations = await workspace.data("/v1/organizations/get", { organizationIds: ["new"] });
  expect(organizations).toEqual([{ id: "new", organizationName: "", disabled }]);
});

test("a repeated id has one result in the response", async () => {
  const workspace = await service.workspace();
  expect(Object.keys(Object(await setDisabled(workspace, true, ["acme", "acme"])))).toEqual(["acme"]);
});

test("1,000 organizations are updated in one call, 1,001 are INVALID_ARGUMENT", async () => {
  const workspace = await service.workspace();
  const organizationIds = Array.from({ length: 1001 }, (_, index) => `organization-${index}`);
  const error = await workspace.error(PATH, { organizationIds, disabled: true });
  expect(error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: expect.stringMatching(/^data\.organizationIds /),
  });
  await setDisabled(workspace, true, organizationIds.slice(0, 1000));
  const organizations = await workspace.data("/v1/organizations/get", {});
  expect(organizations.map(({ disabled }) => disabled)).toEqual(Array(1000).fill(true));
});

describe.each(dataOperations)("$path", ({ path, example }) => {
  test("a disabled organization is PERMISSION_DENIED on every process as soon as the call returns", async () => {
    const workspace = await service.workspace();
    const other = workspace.at(second.address);
    await other.call(path, buildRequest(other, example));
    await setDisabled(workspace, true);
    for (const caller of [other, workspace]) {
      const error = await caller.error(path, buildRequest(caller, example));
      const details = { reason: "organization_disabled", organizationId: "acme" };
      expect(error).toMatchObject({ httpStatus: 403, status: "PERMISSION_DENIED", details });
    }
  });

  test("an organization that is disabled before its implicit creation is rejected", async () => {
    const workspace = await service.workspace();
    await setDisabled(workspace, true);
    expect(await workspace.error(path, buildRequest(workspace, example))).toMatchObject({
      details: { reason: "organization_disabled" },
    });
  });

  test("an enabled organization works again on every process", async () => {
    const workspace = await service.workspace();
    await setDisabled(workspace, true);
    await setDisabled(workspace, false);
    for (const caller of [workspace, workspace.at(second.address)]) {
      expect((await caller.call(path, buildRequest(caller, example))).httpStatus).not.toBe(403);
    }
  });

  test("other organizations, and the one of the same id in another workspace, keep working", async () => {
    const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
    await setDisabled(workspace, true);
    const inOther = { ...buildRequest(workspace, example), organizationId: "acme-2" };
    const responses = [await other.call(path, buildRequest(other, example)), await workspace.call(path, inOther)];
    for (const { httpStatus } of responses) expect(httpStatus).not.toBe(403);
  });
});

test("rejected calls change nothing: the data is unchanged when the organization is enabled", async () => {
  const workspace = await service.workspace();
  await addActivities(workspace, ["activity-1", "activity-2"]);
  await setDisabled(workspace, true);
  for (const { path, example } of dataOperations) await workspace.error(path, buildRequest(workspace, example));
  await setDisabled(workspace, false);
  expect(await readActivityIds(workspace)).toEqual(["activity-1", "activity-2"]);
});

test("a disabled organization can still be read and managed", async () => {
  const workspace = await service.workspace();
  await setDisabled(workspace, true);
  const organizations = await workspace.data("/v1/organizations/get", { organizationIds: ["acme"] });
  expect(organizations).toEqual([{ id: "acme", organizationName: "", disabled: true }]);
});
