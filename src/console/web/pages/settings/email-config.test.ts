import { expect, test } from "vitest";
import { PROVIDERS as KNOWN_PROVIDERS } from "../../../../email/providers.ts";
import { type EmailConfig, PROVIDERS, toForm, toUpdate } from "./email-config.ts";

const CONFIG: EmailConfig = {
  useEmailService: true,
  emailServiceConfig: {
    apiKey: "secret",
    type: "sendgrid",
    fromEmail: "notices@example.com",
    fromCompany: "Acme",
    commentTemplateId: "",
    tagTemplateId: "",
    triggers: { "comment.add": true, "own.trigger": true },
  },
};

test("saving an unchanged form changes nothing, and neither shows nor sends the key", () => {
  const form = toForm(CONFIG);
  expect(JSON.stringify(form)).not.toContain("secret");
  expect(toUpdate(form)).toEqual({
    useEmailService: true,
    emailServiceConfig: {
      type: "sendgrid",
      fromEmail: "notices@example.com",
      fromCompany: "Acme",
      triggers: {
        "comment_annotation.add": false,
        "comment.add": true,
        "comment_annotation.status_change": false,
        "comment_annotation.assign": false,
        "comment_annotation.priority_change": false,
        "own.trigger": true,
      },
    },
  });
});

test("saving a form sends a new key", () => {
  expect(toUpdate({ ...toForm(CONFIG), apiKey: "new" })).toMatchObject({ emailServiceConfig: { apiKey: "new" } });
});

test("the form offers every provider of the API", () => {
  expect(PROVIDERS.map(({ value }) => value)).toEqual(KNOWN_PROVIDERS);
});
