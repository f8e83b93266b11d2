import { expect, test } from "vitest";
import { WEBHOOK_EVENT_TYPES } from "../../../../features/webhooks/endpoints/event-types.ts";
import { type Endpoint, EVENT_NAMES, toChanges, toForm, toNewEndpoint } from "./endpoint-form.ts";

const ENDPOINT: Endpoint = {
  id: "e",
  url: "https://acme.example/webhooks",
  description: "Billing",
  filterTypes: ["comment.add", "comment.update"],
  channels: ["acme"],
  disabled: true,
  rateLimit: 10,
  uid: null,
  metadata: null,
  createdAt: "2030-01-31T12:00:00.000Z",
  updatedAt: "2030-01-31T12:00:00.000Z",
};

test("every event can be chosen", () => {
  expect(EVENT_NAMES.toSorted()).toEqual(WEBHOOK_EVENT_TYPES.toSorted());
});

test("the form of an endpoint saves the same settings", () => {
  const { url, description, filterTypes, channels, disabled, rateLimit } = ENDPOINT;
  expect(toChanges(toForm(ENDPOINT))).toEqual({ url, description, filterTypes, channels, disabled, rateLimit });
});

test("empty fields remove a setting, and a new endpoint is created without them", () => {
  const form = { ...toForm(undefined), url: " https://acme.example ", channels: "\n \n" };
  const url = "https://acme.example";
  const unset = { description: null, filterTypes: null, channels: null, rateLimit: null };
  expect(toChanges(form)).toEqual({ url, disabled: false, ...unset });
  expect(toNewEndpoint(form)).toEqual({ url, disabled: false });
});
