import type { Api } from "../src/operations.ts";
import type { Scenario } from "./scenario.ts";

const DOCUMENTS = 100;
const RECORDINGS_PER_DOCUMENT = 50;

/** Reading the newest 50 recordings of a document, about 500 bytes each. */
export const recordingScenarios: Scenario[] = [
  {
    name: "recordings/get",
    path: "/v2/recordings/get",
    requests: documents().map((documentId) => ({
      organizationId: "bench",
      documentId,
      pageSize: RECORDINGS_PER_DOCUMENT,
    })),
    targetRatio: 0.8,
    seed: () =>
      documents().map((documentId) => ({
        path: "/v2/recordings/add",
        data: {
          organizationId: "bench",
          documentId,
          recordings: Array.from({ length: RECORDINGS_PER_DOCUMENT }, (_, number) => recording(number)),
        },
      })),
    floor: {
      setup: `
        create table recordings (
          id uuid primary key default gen_random_uuid(),
          organization_id text not null,
          document_id text not null,
          created_at timestamptz not null default clock_timestamp(),
          record jsonb not null
        );
        create index on recordings (organization_id, document_id, created_at);
        insert into recordings (organization_id, document_id, record)
        select 'bench', 'document-' || number % ${DOCUMENTS}, $record$${JSON.stringify(recording(0))}$record$
        from generate_series(1, ${DOCUMENTS * RECORDINGS_PER_DOCUMENT}) as number;
      `,
      statement: `select record from recordings where organization_id = $1 and document_id = $2
        order by created_at desc limit ${RECORDINGS_PER_DOCUMENT}`,
      values: ({ organizationId, documentId }) => [organizationId, documentId],
    },
  },
];

function documents(): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => `document-${number}`);
}

function recording(number: number): Api["/v2/recordings/add"]["request"]["recordings"][number] {
  return {
    from: { userId: `user-${number}`, name: "Ada Lovelace", email: "ada@example.com" },
    recordingType: "screen",
    mode: "floating",
    recordedTime: { duration: 90, display: "00:01:30" },
    displayName: "How clause 3 came about",
    attachments: [
      {
        attachmentId: number,
        url: `https://files.example.com/recordings/recording-${number}.mp4`,
        mimeType: "video/mp4",
        name: `recording-${number}.mp4`,
        type: "mp4",
        size: 1_048_576,
      },
    ],
  };
}
