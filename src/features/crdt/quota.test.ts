import { expect, test } from "vitest";
import { copyRow } from "../../../test/copy-row.ts";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../test/crdt.ts";
import { startTestService } from "../../../test/harness.ts";
import { RECORD_LIMITS } from "../../config/limits.ts";

const ADD = "/v2/crdt/add";
const service = await startTestService();
const { organizationId, documentId } = COLLABORATIVE_DOCUMENT;
const request = { organizationId, documentId, type: "text", data: "one" } as const;

test("a document has 1,000 collaborative documents at most, and a deletion makes room", async () => {
  const workspace = await service.workspace();
  await addContent(workspace, { type: "text", data: "one" });
  const table = { table: "crdt_documents", idColumn: "editor_id" };
  await copyRow(service, workspace, { ...table, copies: RECORD_LIMITS.editors - 2 });
  await workspace.data(ADD, { ...request, editorId: "last" });
  expect(await workspace.error(ADD, { ...request, editorId: "one more" })).toMatchObject({
    ...{ status: "FAILED_PRECONDITION", details: { reason: "limit_reached", limit: "editors" } },
  });
  await workspace.data(ADD, { ...request, documentId: "another", editorId: "one more" });
  await workspace.data("/v2/crdt/delete", { organizationId, documentId, editorIds: ["last"] });
  await workspace.data(ADD, { ...request, editorId: "one more" });
});
