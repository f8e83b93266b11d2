import { expect, test } from "vitest";
import { startTestService } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";

const GET = "/v2/workspace/emailconfig/get";
const UPDATE = "/v2/workspace/emailconfig/update";
const service = await startTestService();

const BEFORE_ANY_UPDATE = {
  useEmailService: false,
  emailServiceConfig: {
    type: "default",
    apiKey: "",
    fromEmail: "",
    fromCompany: "",
    commentTemplateId: "",
    tagTemplateId: "",
  },
};

test.each([undefined, {}])(
  "before the first update the email service is off, of type default and empty (data: %j)",
  async (data) => {
    const { data: config } = await (await service.workspace()).uncheckedResult(GET, data);
    expect(config).toEqual(BEFORE_ANY_UPDATE);
  },
);

test("triggers are only returned if some are set", async () => {
  const workspace = await service.workspace();
  await workspace.data(UPDATE, { emailServiceConfig: { triggers: {} } });
  expect(await workspace.data(GET, {})).toEqual(BEFORE_ANY_UPDATE);
  await workspace.data(UPDATE, { emailServiceConfig: { triggers: { "comment.add": false } } });
  expect(await workspace.data(GET, {})).toMatchObject({ emailServiceConfig: { triggers: { "comment.add": false } } });
});

test("the configuration of another workspace is not returned", async () => {
  const [mine, theirs] = await Promise.all([service.workspace(), service.workspace()]);
  await theirs.data(UPDATE, { useEmailService: true, emailServiceConfig: { apiKey: "theirs", fromCompany: "Theirs" } });
  expect(await mine.data(GET, {})).toEqual(BEFORE_ANY_UPDATE);
});

test("a provider key encrypted with another SECRET_KEY is FAILED_PRECONDITION until it is set again", async () => {
  const workspace = await service.workspace();
  await workspace.data(UPDATE, { emailServiceConfig: { type: "resend", apiKey: "old", fromEmail: "ada@example.com" } });
  await runSql(
    service.database,
    "update email_configs set api_key = set_byte(api_key, 20, get_byte(api_key, 20) # 1) where workspace_id = $1",
    [workspace.id],
  );
  for (const [path, data] of [
    [GET, {}],
    [UPDATE, { useEmailService: true }],
  ] as const) {
    expect(await workspace.error(path, data)).toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { reason: "secret_unreadable" },
    });
  }
  await workspace.data(UPDATE, { useEmailService: true, emailServiceConfig: { apiKey: "new" } });
  expect(await workspace.data(GET, {})).toMatchObject({ useEmailService: true, emailServiceConfig: { apiKey: "new" } });
});
