import { expect, test } from "vitest";
import { type Endpoint, toChanges, toForm, toNewEndpoint } from "./endpoint-form.ts";

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

test("the form of an endpoint saves the same settings", () => {
  const { url, description, filterTypes, channels, disabled, rateLimit } = ENDPOINT;
  expect(toChanges(toForm(ENDPOINT))).toEqual({ url, description, filterTypes, channels, disabled, rateLimit });
});

test("empty fields remove a setting, and a new endpoint is created without them", () => {
  const form = { ...toForm(undefined), url: " https://acme.example ", events: "\n \n" };
  const url = "https://acme.example";
  const unset = { description: null, filterTypes: null, channels: null, rateLimit: null };
  expect(toChanges(form)).toEqual({ url, disabled: false, ...unset });
  expect(toNewEndpoint(form)).toEqual({ url, disabled: false });
});
