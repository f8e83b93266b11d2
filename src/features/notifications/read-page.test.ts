import { describe, expect, test } from "vitest";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";
import { addNotification } from "../../../test/notifications.ts";
import type { Api } from "../../operations.ts";

const PATHS = ["/v1/notifications/get", "/v2/notifications/get"] as const;
const [, V2] = PATHS;
const DISABLE = "/v2/organizations/access/disablestate/update";
const service = await startTestService();

/** Adds notifications to grace and bob, with and without a location, in document d1 of two organizations in turn. */
async function filledWorkspace(): Promise<TestWorkspace> {
  const workspace = await service.publicWorkspace();
  for (const documentId of ["d1", "d2"]) {
    for (const locationId of [undefined, "l1"]) {
      for (const userId of ["grace", "bob"]) {
        for (const organizationId of documentId === "d1" ? ["acme", "globex"] : ["acme"]) {
          const id = [organizationId, documentId, locationId ?? "", userId].join("-");
          await addNotification(workspace, id, { organizationId, documentId, locationId, notifyUsers: [{ userId }] });
        }
      }
    }
  }
  return workspace;
}

/** A filled workspace, which tests only read. */
const filled = await filledWorkspace();

async function getIds(
  workspace: TestWorkspace,
  path: (typeof PATHS)[number],
  scope: Api[typeof path]["request"],
): Promise<string[]> {
  return (await workspace.data(path, scope)).map(({ id }) => id);
}

describe.each(PATHS)("%s without organizationId", (path) => {
  test.each([
    [
      { documentId: "d1", userId: "grace" },
      ["globex-d1-l1-grace", "acme-d1-l1-grace", "globex-d1--grace", "acme-d1--grace"],
    ],
    [
      { documentId: "d1", locationId: "l1" },
      ["globex-d1-l1-bob", "acme-d1-l1-bob", "globex-d1-l1-grace", "acme-d1-l1-grace"],
    ],
    [{ documentId: "d1", locationId: "l1", userId: "bob" }, ["globex-d1-l1-bob", "acme-d1-l1-bob"]],
    [{ documentId: "d1", userId: "bob", notificationIds: ["acme-d1--bob", "acme-d1--grace"] }, ["acme-d1--bob"]],
    [
      { documentId: "d1", locationId: "l1", notificationIds: ["globex-d1-l1-bob", "acme-d2-l1-bob"] },
      ["globex-d1-l1-bob"],
    ],
    [{ documentId: "d2", userId: "grace" }, ["acme-d2-l1-grace", "acme-d2--grace"]],
    [{ documentId: "d3", userId: "grace" }, []],
  ])(
    "finds the notifications of the scope %j in every organization with the document, newest first",
    async (scope, expected) => {
      expect(await getIds(filled, path, scope)).toEqual(expected);
    },
  );

  test.each([{}, { documentId: "d1" }, { userId: "grace" }, { locationId: "l1", userId: "grace" }])(
    "the scope %j is INVALID_ARGUMENT and the message lists the accepted scopes",
    async (scope) => {
      const error = await (await service.publicWorkspace()).error(path, scope);
      expect(error.status).toBe("INVALID_ARGUMENT");
      expect(error.message).toMatch(
        /^data must have one of .*; or documentId with userId, with locationId or with both$/,
      );
    },
  );

  test("a document of the same id in another workspace is not read", async () => {
    const mine = await service.publicWorkspace();
    expect(await getIds(mine, path, { documentId: "d1", userId: "grace" })).toEqual([]);
    await addNotification(mine, "mine", { organizationId: "acme", documentId: "d1" });
    expect(await getIds(mine, path, { documentId: "d1", userId: "grace" })).toEqual(["mine"]);
  });

  test("a disabled organization with the document is PERMISSION_DENIED and named; one without it is not", async () => {
    const workspace = await filledWorkspace();
    await workspace.data(DISABLE, { organizationIds: ["globex"], disabled: true });
    const error = await workspace.error(path, { documentId: "d1", userId: "grace" });
    expect(error).toMatchObject({ details: { reason: "organization_disabled", organizationId: "globex" } });
    expect(await getIds(workspace, path, { documentId: "d2", userId: "bob" })).toHaveLength(2);
    await workspace.data(DISABLE, { organizationIds: ["acme"], disabled: true });
    const only = await workspace.error(path, { documentId: "d2", userId: "bob" });
    expect(only).toMatchObject({ details: { reason: "organization_disabled", organizationId: "acme" } });
  });

  test("an organization that is being deleted is omitted", async () => {
    const workspace = await filledWorkspace();
    await workspace.data("/v2/organizations/delete", { organizationIds: ["globex"] });
    const scope = { documentId: "d1", userId: "grace" };
    expect(await getIds(workspace, path, scope)).toEqual(["acme-d1-l1-grace", "acme-d1--grace"]);
  });
});

test.each([{ userId: "grace" }, { locationId: "l1" }])(
  "without organizationId the pages of %j return the notifications of both organizations once, in both orders",
  async (scope) => {
    const workspace = await service.publicWorkspace();
    const ids = Array.from({ length: 7 }, (_, index) => `n${index}`);
    for (const [index, id] of ids.entries()) {
      const organizationId = index % 3 === 0 ? "acme" : "globex";
      await addNotification(workspace, id, { organizationId, documentId: "d1", locationId: "l1" });
    }
    for (const order of ["asc", "desc"] as const) {
      const pages: string[][] = [];
      let pageToken: string | undefined;
      do {
        const request = { documentId: "d1", ...scope, order, pageSize: 3, ...(pageToken && { pageToken }) };
        const page = await workspace.result(V2, request);
        pages.push(page.data.map(({ id }) => id));
        pageToken = page.pageToken;
      } while (pageToken !== undefined);
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
      expect(pages.flat()).toEqual(order === "asc" ? ids : ids.toReversed());
    }
  },
);

test("the same id in two organizations is two notifications, each in the inbox of its own recipient", async () => {
  const workspace = await service.publicWorkspace();
  const documentId = "d1";
  await addNotification(workspace, "same", { organizationId: "acme", documentId, notifyUsers: [{ userId: "grace" }] });
  await addNotification(workspace, "same", { organizationId: "globex", documentId, notifyUsers: [{ userId: "bob" }] });
  const found = await workspace.data(V2, { documentId, userId: "grace", notificationIds: ["same"] });
  expect(found.map(({ metadata }) => metadata.organizationId)).toEqual(["acme"]);
});

test("a page token of a request without organizationId is INVALID_ARGUMENT in a request with one", async () => {
  const scope = { documentId: "d1", userId: "grace", pageSize: 1 };
  const { pageToken } = await filled.result(V2, scope);
  const error = await filled.error(V2, { ...scope, organizationId: "acme", pageToken });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: "data.pageToken" }] } });
});
