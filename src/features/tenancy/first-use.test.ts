import { expect, inject, test } from "vitest";
import { eventually } from "../../../test/eventually.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { operations } from "../../operations.ts";
import { organizationKey } from "./organization-key.ts";

const service = await startOwnTestService();
/** Lists the statements that wait for a lock; on Citus they may wait on any node. */
const WAITING =
  inject("serverUrls").length > 1
    ? "select from citus_lock_waits"
    : "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Operations that create a missing document. Comments and reactions need an existing annotation. */
const writers = operations.filter(
  ({ path, example }) =>
    /\/add$/.test(path) && "documentId" in Object(example) && !/\/comments\/|\/reactions\//.test(path),
);

test.each(writers)(
  "$path waits for concurrent creation of its organization and then of its document, without deadlock",
  async (writer) => {
    const workspace = await service.workspace();
    const { organizationId, documentId } = Object(writer.example);
    const key = organizationKey(workspace.id, organizationId);
    const answer = await service.database.transaction(async (other) => {
      await runSql(
        other,
        "insert into organizations (organization_key, workspace_id, organization_id) values ($1, $2, $3)",
        [key, workspace.id, organizationId],
      );
      const waiting = workspace.call(writer.path, writer.example);
      await eventually(async () => expect((await runSql(other, WAITING)).length).toBe(1));
      await runSql(other, "insert into documents (organization_key, document_id) values ($1, $2)", [key, documentId]);
      return { waiting };
    });
    expect(await answer.waiting).toMatchObject({ httpStatus: 200 });
  },
);
