import { expect, test } from "vitest";
import { updateApiKeyConfig } from "../../../../features/workspaces/api-key-config/update.ts";
import { type AccessConfig, getChanges, getEffects, toForm } from "./access-config.ts";

const CONFIG: AccessConfig = {
  ...{ ownerEmail: null, planInfo: { type: "self-hosted" }, defaultDocumentAccessType: "public" },
  ...{
    isPrivateCommentsEnabled: true,
    requireJwtToken: false,
    requireAutoOrgUser: true,
    isContextEnabled: false,
    showUserEmails: false,
    automaticVersionMinutes: 30,
    automaticVersionDays: 30,
  },
};

test("an unchanged form changes nothing", () => {
  expect(getChanges(toForm(CONFIG), CONFIG)).toEqual({});
});

test("only what was changed is sent, each with its effect", () => {
  const form = { ...toForm(CONFIG), defaultDocumentAccessType: "restricted" as const, enablePrivateComments: false };
  const changes = getChanges(form, CONFIG);
  expect(changes).toEqual({ defaultDocumentAccessType: "restricted", enablePrivateComments: false });
  expect(getEffects(changes)).toEqual([
    expect.stringContaining("Only users with a permission on the folder or on the document"),
    expect.stringContaining("private comments are off"),
  ]);
});

test("the form has every setting of the API, except those of versions", () => {
  expect(Object.keys(toForm(CONFIG)).toSorted()).toEqual(
    Object.keys(updateApiKeyConfig.response?.properties ?? {})
      .filter((name) => !name.startsWith("automaticVersion"))
      .toSorted(),
  );
});
