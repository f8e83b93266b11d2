import { expect, test } from "vitest";
import { startOwnTestService } from "../../../test/harness.ts";
import { untilWaiting } from "../../../test/lock-waits.ts";
import { runSql } from "../../../test/run-sql.ts";
import { operations } from "../../operations.ts";
import { organizationKey } from "./organization-key.ts";

const service = await startOwnTestService();

/** Operations that create a missing document. The others need an existing annotation or editor. */
const writers = operations.filter(
  ({ path, example }) =>
    /\/add$/.test(path) && "documentId" in Object(example) && !/\/(comments|reactions|versions)\//.test(path),
);

test.each(writers)(
  "$path waits for concurrent creation of its organization and then of its document, without deadlock",
  async (writer) => {
    const workspace = await service.workspace();
    const { organizationId, documentId } = Object(writer.example);
    const key = organizationKey(workspace.id, organizationId);
    const response = await service.database.transaction(async (other) => {
      await runSql(
        other,
        "insert into organizations (organization_key, workspace_id, organization_id) values ($1, $2, $3)",
        [key, workspace.id, organizationId],
      );
      const waiting = workspace.call(writer.path, writer.example);
      await untilWaiting(other);
      await runSql(other, "insert into documents (organization_key, document_id) values ($1, $2)", [key, documentId]);
      return { waiting };
    });
    expect(await response.waiting).toMatchObject({ httpStatus: 200 });
  },
);

test.each([
  ["/v2/presence/add", 200, "presence", "user_id, status, last_active", "'ada', 'online', 1"],
  ["/v2/livestate/broadcast", 200, "live_states", "live_state_id, record, record_bytes", "'review', '{}', 2"],
  [
    "/v2/crdt/add",
    409,
    "crdt_documents",
    "editor_id, type, content_key, client_id, state, record, record_bytes",
    "'clause-3', 'text', 'content', 1, '', '{}', 2",
  ],
])("%s waits for concurrent creation of its document and then of its record, without deadlock", async (...of) => {
  const [path, httpStatus, table, columns, values] = of;
  const workspace = await service.workspace();
  const example = operations.find((operation) => operation.path === path)?.example;
  const { organizationId, documentId } = Object(example);
  await workspace.data("/v2/organizations/add", { organizations: [{ organizationId }] });
  const key = [organizationKey(workspace.id, organizationId), documentId];
  const response = await service.database.transaction(async (other) => {
    await runSql(other, "insert into documents (organization_key, document_id) values ($1, $2)", key);
    const waiting = workspace.call(path, example);
    await untilWaiting(other);
    const insert = `insert into ${table} (organization_key, document_id, ${columns}) values ($1, $2, ${values})`;
    await runSql(other, insert, key);
    return { waiting };
  });
  expect(await response.waiting).toMatchObject({ httpStatus });
});
