import { expect, test } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT, loadYjsDocument, readContent, updateContent } from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";
import { runSql } from "../../../test/run-sql.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/crdt/update";
const service = await startTestService();

test("an update beyond 500,000 pieces of history is FAILED_PRECONDITION and changes nothing", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "map", data: { a: 0, b: 0 } });
  const document = await loadYjsDocument(workspace);
  const map = document.getMap("content");
  document.transact(() => {
    for (let number = 1; number < 249_999; number++) for (const key of ["a", "b"]) map.set(key, number);
  });
  await runSql(service.database, "update crdt_documents set state = $2 where organization_key = $1", [
    organizationKey(workspace.id, COLLABORATIVE_DOCUMENT.organizationId),
    Y.encodeStateAsUpdate(document),
  ]);
  await updateContent(workspace, { type: "map", data: { a: 1, b: 249_998 } });
  const before = await readContent(workspace);
  const error = await workspace.error(PATH, { ...COLLABORATIVE_DOCUMENT, type: "map", data: { a: 2, b: 2 } });
  expect(error).toMatchObject({ status: "FAILED_PRECONDITION", details: { reason: "document_too_large" } });
  expect((await readContent(workspace)).state === before.state).toBe(true);
});
