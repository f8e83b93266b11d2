import { expect, test } from "vitest";
import { toForm, toUpdate, type VersionConfig } from "./version-config.ts";

const CONFIG: VersionConfig = {
  ...{ ownerEmail: null, planInfo: { type: "self-hosted" }, defaultDocumentAccessType: "public" },
  ...{ isPrivateCommentsEnabled: true, requireJwtToken: false, requireAutoOrgUser: true, isContextEnabled: false },
  ...{ showUserEmails: false, automaticVersionMinutes: 45, automaticVersionDays: 7 },
};

test("an unchanged form saves what is stored, also without automatic versions", () => {
  expect(toUpdate(toForm(CONFIG))).toEqual({ automaticVersionMinutes: 45, automaticVersionDays: 7 });
  const without = { ...CONFIG, automaticVersionMinutes: 0 };
  expect(toUpdate(toForm(without))).toEqual({ automaticVersionMinutes: 0, automaticVersionDays: 7 });
});

test("turning automatic versions on offers the default interval", () => {
  const form = toForm({ ...CONFIG, automaticVersionMinutes: 0 });
  expect(toUpdate({ ...form, isOn: true })).toEqual({ automaticVersionMinutes: 30, automaticVersionDays: 7 });
});
