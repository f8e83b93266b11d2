import type { Scenario, SeedCall } from "./scenario.ts";

const EDITORS = 2_000;
const EDITORS_PER_DOCUMENT = 20;

/** Content of a collaborative document, about 600 bytes as JSON. */
const data = {
  title: "Terms of payment",
  clause: { number: 3, parties: ["acme", "globex"], isSigned: false },
  text: "Payment is due within thirty days. ".repeat(14),
};

const editorTable = `
  create table editors (
    organization_id text not null,
    document_id text not null,
    editor_id text not null,
    type text not null,
    state bytea not null,
    record json not null,
    primary key (organization_id, document_id, editor_id)
  );
  insert into editors
  select 'bench', 'document-' || number / ${EDITORS_PER_DOCUMENT}, 'editor-' || number, 'map',
    convert_to($record$${JSON.stringify(data)}$record$, 'UTF8'), $record$${record("editor-1", data)}$record$
  from generate_series(0, ${EDITORS - 1}) as number;
`;

/** Returns the IDs of the first collaborative documents, 20 in each document. */
function editors(count: number): { documentId: string; editorId: string }[] {
  return Array.from({ length: count }, (_, number) => ({
    documentId: `document-${Math.floor(number / EDITORS_PER_DOCUMENT)}`,
    editorId: `editor-${number}`,
  }));
}

function record(id: string, content: unknown): string {
  const fixedFields = { type: "map", contentKey: "content", lastUpdatedBy: null, sessionId: null };
  return JSON.stringify({ lastUpdate: "2026-11-21T04:05:06.789Z", id, data: content, ...fixedFields });
}

function seed(): SeedCall[] {
  return editors(EDITORS).map((editor) => ({
    path: "/v2/crdt/add",
    data: { organizationId: "bench", ...editor, type: "map", data },
  }));
}

/** Adding and reading a collaborative document. The floor stores as many bytes, without Yjs. */
export const crdtScenarios: Scenario[] = [
  {
    name: "crdt/add",
    path: "/v2/crdt/add",
    requests: [{ organizationId: "bench", documentId: "document-0", editorId: "new-[<id>]", type: "map", data }],
    targetRatio: 0.8,
    seed,
    floor: {
      setup: editorTable,
      statement: "insert into editors values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
      values: ({ organizationId, documentId, editorId, type, data: content }) => [
        ...[organizationId, documentId, editorId, type],
        ...[Buffer.from(JSON.stringify(content)), record(editorId, content)],
      ],
    },
  },
  {
    name: "crdt/get",
    path: "/v2/crdt/get",
    requests: editors(EDITORS).map((editor) => ({ organizationId: "bench", ...editor })),
    targetRatio: 0.8,
    seed,
    floor: {
      setup: editorTable,
      statement: "select record from editors where organization_id = $1 and document_id = $2 and editor_id = $3",
      values: ({ organizationId, documentId, editorId }) => [organizationId, documentId, editorId],
    },
  },
];
