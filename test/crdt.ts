import * as Y from "yjs";
import type { Database } from "../src/database/database.ts";
import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

export type CrdtRecord = Api["/v2/crdt/get"]["response"][number];
type Request<Path extends keyof Api> = Api[Path]["request"];
type Filters = Partial<Request<"/v2/crdt/get">>;
export type Content = Pick<Request<"/v2/crdt/add">, "type" | "data">;

/** The collaborative document of tests for which any will do. */
export const COLLABORATIVE_DOCUMENT = { ...SCOPE, editorId: "clause-3" };

export function addContent(
  workspace: TestWorkspace,
  fields: Content & Partial<Request<"/v2/crdt/add">>,
): Promise<unknown> {
  return workspace.result("/v2/crdt/add", { ...COLLABORATIVE_DOCUMENT, ...fields });
}

export function updateContent(
  workspace: TestWorkspace,
  fields: Content & Partial<Request<"/v2/crdt/update">>,
): Promise<unknown> {
  return workspace.result("/v2/crdt/update", { ...COLLABORATIVE_DOCUMENT, ...fields });
}

/** Reads the collaborative documents of the document, or the one that `filters` names. */
export function readContents(workspace: TestWorkspace, filters: Filters = {}): Promise<CrdtRecord[]> {
  return workspace.data("/v2/crdt/get", { ...SCOPE, ...filters });
}

export async function readContent(workspace: TestWorkspace, filters: Filters = {}): Promise<CrdtRecord> {
  const [record] = await readContents(workspace, {
    editorId: COLLABORATIVE_DOCUMENT.editorId,
    includeState: true,
    ...filters,
  });
  if (!record) throw new Error("The collaborative document does not exist.");
  return record;
}

/** Returns a Yjs client that has loaded the stored state. */
export async function loadYjsDocument(workspace: TestWorkspace, filters: Filters = {}): Promise<Y.Doc> {
  const { state } = await readContent(workspace, filters);
  const document = new Y.Doc();
  Y.applyUpdate(document, getState(state));
  return document;
}

/** Merges the stored state into the client's document. */
export async function applyStoredState(
  document: Y.Doc,
  workspace: TestWorkspace,
  filters: Filters = {},
): Promise<void> {
  Y.applyUpdate(document, getState((await readContent(workspace, filters)).state));
}

/** Writes one empty update to the log of each collaborative document of an organization, again if it is there. */
export async function insertUpdates(database: Database, organizationKey: string): Promise<void> {
  await runSql(
    database,
    `insert into crdt_updates (organization_key, document_id, editor_id, id, client_id, yjs_update)
     select organization_key, document_id, editor_id, '00000000-0000-0000-0000-000000000000', client_id, '\\x0000'
     from crdt_documents where organization_key = $1
     on conflict (organization_key, document_id, editor_id, id)
     do update set client_id = excluded.client_id, written_at = excluded.written_at`,
    [organizationKey],
  );
}

/** Adds a user who wrote each collaborative document of an organization, and the mark that it is being edited. */
export async function insertEditing(database: Database, organizationKey: string): Promise<void> {
  await runSql(
    database,
    `insert into crdt_authors (organization_key, document_id, editor_id, user_id, id)
     select organization_key, document_id, editor_id, 'ada', '00000000-0000-0000-0000-000000000000'
     from crdt_documents where organization_key = $1
     on conflict (organization_key, document_id, editor_id, user_id) do nothing`,
    [organizationKey],
  );
  await runSql(
    database,
    `insert into crdt_edits (organization_key, document_id, editor_id, since, changed_at, interval_ms)
     select organization_key, document_id, editor_id, $2, $2, 3600000
     from crdt_documents where organization_key = $1
     on conflict (organization_key, document_id, editor_id) do nothing`,
    [organizationKey, Date.now()],
  );
}

function getState(base64: string | undefined): Uint8Array {
  return Buffer.from(base64 ?? "", "base64");
}
