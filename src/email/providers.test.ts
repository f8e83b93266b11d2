import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { PROVIDERS, type Provider, smtpConnection } from "./providers.ts";

const fromEmail = "notices@example.com";

function connection(type: Provider, apiKey: string) {
  return smtpConnection({ type, apiKey, fromEmail });
}

function findError(type: Provider, apiKey: string, from = fromEmail): unknown {
  try {
    smtpConnection({ type, apiKey, fromEmail: from });
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each([
  ["sendgrid", "SG.key", "smtp.sendgrid.net", { user: "apikey", pass: "SG.key" }],
  ["postmark", "key", "smtp.postmarkapp.com", { user: "key", pass: "key" }],
  ["resend", "re_key", "smtp.resend.com", { user: "resend", pass: "re_key" }],
  ["mailgun", "secret", "smtp.mailgun.org", { user: "postmaster@example.com", pass: "secret" }],
  ["mailgun", "robot@mg.example.com:se:cret", "smtp.mailgun.org", { user: "robot@mg.example.com", pass: "se:cret" }],
  ["ses", "AKIA:se/cr+et=", "email-smtp.us-east-1.amazonaws.com", { user: "AKIA", pass: "se/cr+et=" }],
  ["ses", "eu-west-1:AKIA:secret", "email-smtp.eu-west-1.amazonaws.com", { user: "AKIA", pass: "secret" }],
] as const)("%s with %s uses the provider's server, always with TLS", (type, apiKey, host, auth) => {
  const found = connection(type, apiKey);
  expect(found).toMatchObject({ host, auth, port: expect.any(Number) });
  expect(found?.secure || found?.requireTLS).toBe(true);
});

test.each([
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, secure: false, requireTLS: false }],
  ["smtps://mail.example.com", { host: "mail.example.com", port: 465, secure: true, requireTLS: false }],
  ["smtp://mail:2525/", { host: "mail", port: 2525, secure: false, requireTLS: false }],
  ["smtp://[::1]:25", { host: "::1", port: 25, secure: false, requireTLS: false }],
  [
    "smtps://ada%40example.com:p%3Aw@mail.example.com:465",
    {
      ...{ host: "mail.example.com", port: 465, secure: true, requireTLS: false },
      auth: { user: "ada@example.com", pass: "p:w" },
    },
  ],
])("smtp with %s uses the server of the URL", (apiKey, expected) => {
  expect(connection("smtp", apiKey)).toEqual(expected);
});

test("the default needs no settings and uses the service's own server", () => {
  expect(smtpConnection({ type: "default", apiKey: "", fromEmail: "" })).toBeUndefined();
});

test.each(PROVIDERS.filter((type) => type !== "default"))("%s needs apiKey and fromEmail", (type) => {
  const message = `is required to use ${type}`;
  expect(findError(type, "")).toMatchObject({ setting: "apiKey", message });
  expect(findError(type, "smtp://key", "")).toMatchObject({ setting: "fromEmail", message });
});

test.each([
  ...["secret-key", ":secret", "AKIA:", "nowhere-1:AKIA:secret", "a:eu-west-1:AKIA:secret"].map((key) => ["ses", key]),
  ...["eu-west-1/../x:AKIA:secret", "__proto__:AKIA:secret"].map((key) => ["ses", key]),
  ...["secret-key", "https://mail.example.com", "smtp:", "smtp://", "smtp:mail.example.com"].map((key) => [
    "smtp",
    key,
  ]),
  ...[
    "smtp://secret%zz:x@mail.example.com",
    "smtp://mail.example.com/secret",
    "smtp://mail%00.example.com",
    "sendmail",
  ].map((key) => ["smtp", key]),
] as [Provider, string][])("%s with the key %j is an error about the key that does not contain it", (type, apiKey) => {
  const error = findError(type, apiKey);
  expect(error).toMatchObject({ setting: "apiKey", message: expect.stringMatching(/^must be/) });
  expect(String(error)).not.toContain("secret");
});

test("a URL cannot set options that nodemailer reads from its query, such as running a program", () => {
  const url = "smtp://mail.example.com?sendmail=true&path=/usr/bin/touch&args=/tmp/owned";
  // nodemailer would run the program if the URL were not checked.
  expect(createTransport(url).transporter.name).toBe("Sendmail");
  expect(findError("smtp", url)).toMatchObject({ setting: "apiKey" });
  expect(findError("smtp", "smtp://mail.example.com#?sendmail=true")).toMatchObject({ setting: "apiKey" });
});
