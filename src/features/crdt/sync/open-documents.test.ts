import { Document } from "@hocuspocus/server";
import { expect, onTestFinished, test, vi } from "vitest";
import * as Y from "yjs";
import { addContent, COLLABORATIVE_DOCUMENT } from "../../../../test/crdt.ts";
import { eventually } from "../../../../test/eventually.ts";
import { silentLog, startTestService } from "../../../../test/harness.ts";
import { runSql } from "../../../../test/run-sql.ts";
import { recordStatements } from "../../../../test/sent-statements.ts";
import { newId } from "../../../database/new-id.ts";
import { openOrganization } from "../../tenancy/organization-scope.ts";
import { assertStored } from "../stored/change.ts";
import { selectDocument } from "../stored/crdt-update-queries.ts";
import { OpenDocuments } from "./open-documents.ts";

const POLL_MS = 1_000;
const ORGANIZATIONS = ["acme", "globex", "initech"];
const service = await startTestService();

/** Returns the open documents of a process whose intervals pass only when `vi` says so. */
function openDocuments(): OpenDocuments {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const documents = new OpenDocuments(service.database, silentLog);
  onTestFinished(() => {
    documents.stop();
    vi.useRealTimers();
  });
  return documents;
}

/** Writes an update of another process, which dies after the commit and tells nobody. */
async function typeElsewhere(key: string, text: string): Promise<void> {
  const typed = new Y.Doc();
  typed.getText("content").insert(0, text);
  await runSql(
    service.database,
    `insert into crdt_updates (organization_key, document_id, editor_id, id, client_id, yjs_update)
     select organization_key, document_id, editor_id, $2, client_id, $3
     from crdt_documents where organization_key = $1`,
    [key, newId(), Buffer.from(Y.encodeStateAsUpdate(typed))],
  );
}

test("one statement each second looks for missed updates of all organizations, and they arrive", async () => {
  const documents = openDocuments();
  const workspace = await service.workspace();
  const opened = await Promise.all(
    ORGANIZATIONS.map(async (organizationId) => {
      await addContent(workspace, { organizationId, type: "text", data: "one" });
      const scope = openOrganization(service.database, { id: workspace.id }, organizationId);
      const ref = { ...COLLABORATIVE_DOCUMENT, organizationId, organizationKey: scope.key };
      const { stored } = await selectDocument(scope, ref);
      assertStored(ref, stored);
      const document = new Document(organizationId);
      await documents.add(document, ref, stored);
      return { document, key: ref.organizationKey };
    }),
  );
  for (const { key } of opened) await typeElsewhere(key, "two ");
  const sent = recordStatements(/count\(crdt_updates\.id\)/);
  vi.advanceTimersByTime(POLL_MS);
  await eventually(() => {
    for (const { document } of opened) expect(document.getText("content").toString()).toContain("two ");
  });
  expect(sent).toHaveLength(1);
});

test("nothing is looked for while no document is open", () => {
  openDocuments();
  const sent = recordStatements(/crdt_documents/);
  vi.advanceTimersByTime(10 * POLL_MS);
  expect(sent).toEqual([]);
});
