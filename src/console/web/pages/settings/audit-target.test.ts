import { expect, test } from "vitest";
import { TokenIssuerConfig } from "../../../../features/user-tokens/token-issuer-config/token-issuer-config.ts";
import { advancedFields, WebhookServiceConfigUpdate } from "../../../../features/webhooks/config/webhook-config.ts";
import { changeableFields } from "../../../../features/webhooks/endpoints/endpoint.ts";
import { changeableActivityConfigFields } from "../../../../features/workspaces/activity-config/activity-config.ts";
import { EmailServiceConfigUpdate } from "../../../../features/workspaces/email-config/email-config.ts";
import { getOrganizationIds, SETTING_LABELS, targetFacts, targetTexts } from "./audit-target.ts";

const NAMES = new Map([["o-1", "Acme Ltd"]]);
const toName = (id: string) => NAMES.get(id) ?? id;

test("the target of an act is shown in words, with names and without IDs that nobody recognizes", () => {
  expect(targetTexts({ organizationIds: ["o-1", "initech"], disabled: true }, toName)).toEqual([
    "Organizations: Acme Ltd, initech",
    "Disabled",
  ]);
  expect(targetTexts({ organizationId: "o-1", users: 2, jobId: "4" }, toName)).toEqual([
    "Organization: Acme Ltd",
    "Users: 2",
  ]);
  const ids = { tokenIds: ["1"], newTokenId: "2", sessionIds: ["3"], jobId: "4", endpointId: "5" };
  expect(targetTexts({ ...ids, tokenNames: ["billing"] }, toName)).toEqual(["Tokens: billing"]);
  expect(targetFacts(ids, toName).map(([, value]) => value)).toEqual(["1", "2", "3", "4", "5"]);
  expect(targetTexts({ tokenName: "new", users: 2, disabled: false }, toName)).toEqual([
    ...["Token: new", "Users: 2", "Enabled"],
  ]);
  expect(targetFacts({ users: 2, disabled: false }, toName)).toEqual([
    ["Users", "2"],
    ["State", "Enabled"],
  ]);
  expect(getOrganizationIds({ organizationId: "o-1", users: 2 })).toEqual(["o-1"]);
  expect(getOrganizationIds({ organizationIds: ["o-1", "o-2"], documentIds: ["d"] })).toEqual(["o-1", "o-2"]);
});

test("settings have the names of their forms, and every setting of the API has one", () => {
  expect(targetTexts({ fields: ["useEmailService", "apiKey"] }, toName)).toEqual([
    "Settings: turned on or off, provider key",
  ]);
  const configs = [EmailServiceConfigUpdate, TokenIssuerConfig, WebhookServiceConfigUpdate].flatMap(({ properties }) =>
    Object.keys(properties),
  );
  const fields = [advancedFields, changeableActivityConfigFields, changeableFields].flatMap(Object.keys);
  const switches = ["useEmailService", "useNotificationService", "useWebhookService"];
  const notifications = ["triggers", "delayConfig", "batchConfig"];
  const all = new Set([...configs, ...fields, ...switches, ...notifications]);
  expect(Object.keys(SETTING_LABELS).sort()).toEqual([...all].sort());
});
