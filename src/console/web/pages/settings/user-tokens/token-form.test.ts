import { expect, test } from "vitest";
import { GRANT_TYPES } from "../../../../../contract/end-user.ts";
import { emptyResource, fieldPaths, getTrial, RESOURCE_TYPES, type TokenForm, toRequest } from "./token-form.ts";

const FORM: TokenForm = {
  ...{ userId: " ada ", name: "Ada Lovelace", email: "", lifetime: { amount: "2", unit: "hours" } },
  resources: [
    { ...emptyResource(0), type: "document", organizationId: "acme", id: "contract-7", accessRole: "editor" },
    { ...emptyResource(3), organizationId: "acme", expiresAt: "2026-12-24T18:00" },
  ],
};

test("a form becomes the request with the IDs, roles, times and seconds of its fields", () => {
  expect(toRequest(FORM)).toEqual({
    userId: "ada",
    userProperties: { name: "Ada Lovelace" },
    permissions: {
      resources: [
        { type: "document", id: "contract-7", organizationId: "acme", accessRole: "editor" },
        {
          type: "organization",
          id: "acme",
          accessRole: "viewer",
          expiresAt: new Date(2026, 11, 24, 18).getTime() / 1000,
        },
      ],
    },
    expiresInSeconds: 7_200,
  });
});

test("an access context becomes a pair without a role", () => {
  const context = {
    type: "context",
    organizationId: "acme",
    contextField: " project",
    contextValue: "apollo",
  } as const;
  expect(toRequest({ ...FORM, resources: [{ ...emptyResource(0), ...context }] }).permissions.resources).toEqual([
    { type: "context", organizationId: "acme", context: { access: { project: "apollo" } } },
  ]);
});

test("a token is tried in the organization of its first resource", () => {
  expect(getTrial(toRequest(FORM)).data).toEqual({ organizationId: "acme" });
  expect(getTrial(toRequest({ ...FORM, resources: FORM.resources.slice(1) })).data).toEqual({ organizationId: "acme" });
});

test("errors about the fields of each resource have a place in the form", () => {
  expect(fieldPaths(FORM)).toContain("data.permissions.resources[1].expiresAt");
  expect(fieldPaths(FORM)).not.toContain("data.permissions.resources[2].id");
});

test("the form offers every type of resource of the API", () => {
  expect(RESOURCE_TYPES.map(({ value }) => value)).toEqual(GRANT_TYPES);
});
