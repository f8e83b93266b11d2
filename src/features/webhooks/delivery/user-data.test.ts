import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { startOwnTestService } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../../test/user-data.ts";
import { addReportedComment as comment, createEndpoint, startReceiver } from "../../../../test/webhooks.ts";

const ERIN = { userId: "erin-7f3k", email: "Erin.Moss@person.example" };
const RESPONSES = [
  `No user ${ERIN.userId} here`,
  `{"error":"unknown recipient erin.moss@PERSON.example"}`,
  `${"No. ".repeat(510)} ${ERIN.email} is unknown`,
  "No user frank-22xx here",
];
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));

test("a deletion purges messages whose receivers have responded with the user's ID or address", async () => {
  const workspace = await service.workspace();
  const organizationId = "acme";
  await workspace.data("/v2/users/add", { organizationId, users: [ERIN] });
  const bodies = RESPONSES.values();
  const receiver = await startReceiver((response) => void response.writeHead(200).end(bodies.next().value));
  const endpointId = await createEndpoint(workspace, { url: receiver.url, filterTypes: ["comment_annotation.add"] });
  const responses = async () => {
    const rows = await runSql<{ response: string }>(
      service.database,
      `select attempts->0->>'response' as response from webhook_messages
       where target = $1 and status = 'delivered' order by created_at, id`,
      [endpointId],
    );
    return rows.map(({ response }) => response);
  };
  for (let count = 1; count <= RESPONSES.length; count++) {
    await comment(workspace);
    await eventually(async () => expect(await responses()).toHaveLength(count));
  }
  const cut = `${"No. ".repeat(510)} `;
  expect(await responses()).toEqual([RESPONSES[0], RESPONSES[1], cut, RESPONSES[3]]);
  await deleteUserDataAndWait(workspace, [ERIN.userId]);
  expect(await responses()).toEqual([cut, RESPONSES[3]]);
});

test("messages have the time of their event, so that a deletion covers those that are written after it", async () => {
  const workspace = await service.workspace();
  const receiver = await startReceiver();
  const endpointId = await createEndpoint(workspace, { url: receiver.url });
  for (let count = 0; count < 5; count++) await comment(workspace);
  await eventually(async () => {
    const rows = await runSql<{ written: string; happened: string }>(
      service.database,
      `select message.created_at as written, events.created_at as happened
       from webhook_messages message join events using (organization_key, position) where target = $1`,
      [endpointId],
    );
    expect(rows).toHaveLength(5);
    expect(rows.map(({ written }) => written)).toEqual(rows.map(({ happened }) => happened));
  });
});
