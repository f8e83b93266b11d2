import Type, { type Static } from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { rejectRepeatedIds } from "../../contract/repeated-ids.ts";
import { Identifier, ItemResult, keyedById, perId } from "../../contract/schema.ts";
import { newId } from "../../database/new-id.ts";
import { withTexts } from "../../json/record-texts.ts";
import { recordEvents } from "../event-log/record-events.ts";
import { completeUploads } from "../files/complete-uploads.ts";
import { referenceFiles } from "../files/reference-files.ts";
import { ensureDocument } from "../implicit-creation/ensure-document.ts";
import { inOrganization } from "../tenancy/organization-scope.ts";
import { ADD_RECORDINGS } from "./end-user-rules.ts";
import { buildRecordingEvents } from "./event-log.ts";
import { getRecordings } from "./get.ts";
import { NewRecording } from "./recording.ts";
import { selectForeignId, writeRecordings } from "./recording-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  recordings: Type.Array(NewRecording, { minItems: 1, maxItems: 500 }),
});

/** Adds recordings, all or none. Overwrites a recording whose id exists, so a call can be retried. */
export const addRecordings = operation({
  path: "/v2/recordings/add",
  summary: "Add recordings",
  description:
    "Adds all recordings or none. A recording whose `annotationId` exists in the organization is overwritten and " +
    "keeps its position; `latestVersion` grows by one unless nothing changes, so the request can be repeated. " +
    "Without an `annotationId` a recording gets a UUID, which the response contains. `attachments` are links to " +
    "files, or have the `fileId` of one that was uploaded by `/v2/files/add`. With a user token, an ID of " +
    "somebody else's recording is ALREADY_EXISTS.",
  message: "Recordings added.",
  scope: "write",
  endUsers: ADD_RECORDINGS,
  request: Request,
  returned: {
    by: getRecordings,
    field: "recordings",
    id: "annotationId",
    request: ({ organizationId, documentId }, recordingIds) => ({ organizationId, documentId, recordingIds }),
  },
  response: perId(ItemResult),
  errors: ["NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    recordings: [
      {
        annotationId: "recording-1",
        from: { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" },
        recordingType: "screen",
        mode: "floating",
        recordedTime: { duration: 90, display: "00:01:30" },
        displayName: "How clause 3 came about",
        attachments: [
          {
            attachmentId: 1,
            url: "https://files.example.com/recording-1.mp4",
            mimeType: "video/mp4",
            name: "recording-1.mp4",
            type: "mp4",
            size: 1_048_576,
          },
        ],
      },
    ],
  },
  handle,
});

async function handle(
  { database, workspace, user, files }: Context,
  { organizationId, documentId, recordings }: Static<typeof Request>,
) {
  const given = recordings.map(({ annotationId }) => annotationId);
  rejectRepeatedIds(given, "recordings", "annotationId");
  const metadata = { apiKey: workspace.apiKey, documentId, organizationId };
  const identified = recordings.map((recording) => ({ ...recording, annotationId: recording.annotationId ?? newId() }));
  const ids = identified.map(({ annotationId }) => annotationId);
  await completeUploads({ database, workspace, files }, organizationId, recordings);
  await inOrganization(database, workspace, organizationId, async (scope) => {
    await ensureDocument(scope, documentId);
    const owning = identified.map((record) => ({ owner: { recordingId: record.annotationId }, record }));
    const named = await referenceFiles(scope, owning, user?.userId);
    const rows = withTexts(named.map((recording) => toRow(recording, metadata)));
    await writeRecordings(scope, documentId, rows, { isUser: user !== undefined });
    const foreignId = user && (await selectForeignId(scope, documentId, ids, user.userId));
    if (foreignId !== undefined) throw recordingExists(foreignId);
    const added = rows.map(({ id, userId }) => ({ id, userId, documentId }));
    await recordEvents(scope, buildRecordingEvents("recorder.done", added));
  });
  return keyedById(ids.map((id) => [id, { success: true, message: "Recording added." }]));
}

function toRow({ annotationId, ...given }: Static<typeof NewRecording> & { annotationId: string }, metadata: object) {
  const record = { annotationId, type: "recorder", ...given, metadata };
  return { id: annotationId, userId: given.from?.userId ?? null, record };
}

function recordingExists(id: string): ServiceError {
  return new ServiceError("already_exists", `A recording ${JSON.stringify(id)} exists already; nothing was added.`);
}
