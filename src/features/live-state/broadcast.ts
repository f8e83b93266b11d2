import Type, { type Static } from "typebox";
import { formatBytes } from "../../config/format-limit.ts";
import { RECORD_LIMITS } from "../../config/limits.ts";
import { limitError } from "../../contract/limit-error.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import { parseRecord } from "../../json/record-texts.ts";
import type { NewEvent } from "../event-log/event.ts";
import { hasListeners, type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { ensureDocument, ensureDocumentAndWrite } from "../implicit-creation/ensure-document.ts";
import { isRecordTooLarge } from "../tenancy/metadata.ts";
import {
  type InTransaction,
  inOrganization,
  type OrganizationScope,
  openOrganization,
} from "../tenancy/organization-scope.ts";
import { getLiveStates } from "./get.ts";
import { LiveStateData } from "./live-state.ts";
import { type LiveStateRef, lockLiveState, replaceLiveState, replaceLockedState } from "./live-state-queries.ts";

const Request = Type.Object({
  organizationId: Identifier,
  documentId: Identifier,
  liveStateDataId: Identifier,
  data: LiveStateData,
  merge: Type.Optional(Type.Boolean({ default: false })),
});

/** Replaces a live state of a document, or merges fields into it. Concurrent merges lose no field. */
export const broadcastLiveState = operation({
  path: "/v2/livestate/broadcast",
  aliases: ["/v1/livestate/broadcast"],
  summary: "Replace or merge a live state of a document",
  description:
    "Keeps `data` under this ID until the next broadcast replaces it. With `merge`, its fields replace those of the " +
    "same name, and the others are kept. A document has at most " +
    `${RECORD_LIMITS.liveStates} live states; one more is FAILED_PRECONDITION. ` +
    "Creates the organization and document if missing. The fields of the " +
    "request may also be sent at the top level of the body, with `organizationId` beside `data`.",
  message: "Live state updated.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  takesBareFields: true,
  request: Request,
  returned: {
    by: getLiveStates,
    id: "liveStateDataId",
    request: ({ organizationId, documentId }, liveStateDataIds) => ({ organizationId, documentId, liveStateDataIds }),
  },
  response: Type.Object({ success: Type.Boolean() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    liveStateDataId: "review",
    data: { clause: 3, presenter: "ada" },
  },
  handle,
});

async function handle(
  { database, workspace }: Context,
  { organizationId, documentId, liveStateDataId, data, merge = false }: Static<typeof Request>,
) {
  const state = { documentId, liveStateDataId };
  if (!merge) {
    const call = { ...state, record: JSON.stringify(data) };
    const scope = openOrganization(database, workspace, organizationId);
    if (!hasListeners(workspace) && (await replaceLiveState(scope, call))) return { success: true };
    await inOrganization(database, workspace, organizationId, (transaction) => replaceState(transaction, call));
  } else await inOrganization(database, workspace, organizationId, (scope) => mergeState(scope, state, data));
  return { success: true };
}

async function replaceState(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  state: LiveStateRef & { record: string },
): Promise<void> {
  if (!(await replaceLiveState(scope, state))) {
    await ensureDocumentAndWrite(scope, state.documentId, async () => {
      await lockLiveState(scope, state);
      return replaceLiveState(scope, state);
    });
  }
  await recordEvents(scope, [buildEvent(state)]);
}

async function mergeState(
  scope: InTransaction<OrganizationScope<ListenedWorkspace>>,
  state: LiveStateRef,
  fields: object,
): Promise<void> {
  await ensureDocument(scope, state.documentId);
  const record = await lockLiveState(scope, state);
  const merged = JSON.stringify({ ...parseRecord(record), ...fields });
  if (isRecordTooLarge(merged)) {
    const name = `Live state ${JSON.stringify(state.liveStateDataId)}`;
    throw limitError(
      "live_state_size",
      `${name} would be larger than ${formatBytes(RECORD_LIMITS.recordBytes)} as JSON text.`,
    );
  }
  await replaceLockedState(scope, state, merged);
  await recordEvents(scope, [buildEvent(state)]);
}

function buildEvent({ documentId, liveStateDataId }: LiveStateRef): NewEvent {
  return { documentId, kind: "live_state.update", subject: { liveStateDataId } };
}
