import Type from "typebox";
import { ServiceError } from "../../contract/errors.ts";
import { operation } from "../../contract/operation.ts";
import { Identifier } from "../../contract/schema.ts";
import type { TransactionalQueryable } from "../../database/statement.ts";
import { mergeFields, withTexts } from "../../json/record-texts.ts";
import type { NewEvent } from "../event-log/event.ts";
import { hasListeners, type ListenedWorkspace, recordEvents } from "../event-log/record-events.ts";
import { ensureDocument, writeToEnsured } from "../first-use/ensure-document.ts";
import { isRecordTooLarge } from "../tenancy/metadata.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { LiveStateData } from "./live-state.ts";
import { type LiveStateRef, lockLiveState, replaceLockedState, writeLiveState } from "./live-state-queries.ts";

/** Replaces a live state of a document, or merges fields into it. Concurrent merges lose no field. */
export const broadcastLiveState = operation({
  path: "/v2/livestate/broadcast",
  aliases: ["/v1/livestate/broadcast"],
  summary: "Replace or merge a live state of a document",
  description:
    "Keeps `data` under this ID until the next broadcast replaces it. With `merge`, its fields replace those of the " +
    "same name, and the others are kept. Creates the organization and document if missing. The fields of the " +
    "request may also be sent at the top level of the body, with `organizationId` beside `data`.",
  message: "Live state updated.",
  scope: "write",
  endUsers: { role: "editor", on: "documents" },
  takesBareFields: true,
  request: Type.Object({
    organizationId: Identifier,
    documentId: Identifier,
    liveStateDataId: Identifier,
    data: LiveStateData,
    merge: Type.Optional(Type.Boolean({ default: false })),
  }),
  response: Type.Object({ success: Type.Boolean() }),
  errors: ["FAILED_PRECONDITION"],
  example: {
    organizationId: "acme",
    documentId: "contract-7",
    liveStateDataId: "review",
    data: { clause: 3, presenter: "ada" },
  },
  async handle({ workspace, database }, { organizationId, documentId, liveStateDataId, data, merge = false }) {
    const state = {
      organizationKey: organizationKey(workspace.id, organizationId),
      workspaceId: workspace.id,
      organizationId,
      documentId,
      liveStateDataId,
    };
    if (merge) await mergeState(database, workspace, state, data);
    else await replaceState(database, workspace, state, data);
    return { success: true };
  },
});

async function replaceState(
  database: TransactionalQueryable,
  workspace: ListenedWorkspace,
  state: LiveStateRef,
  data: object,
): Promise<void> {
  const [{ record } = { record: "" }] = await withTexts([{ id: state.liveStateDataId, record: data }]);
  const write = writeLiveState({ ...state, record });
  if (!hasListeners(workspace) && (await database.run(write))) return;
  await database.transaction(async (transaction) => {
    if (!(await transaction.run(write))) {
      await writeToEnsured(transaction, workspace, state, () => transaction.run(write));
    }
    await recordEvents(transaction, workspace, () => [eventOf(state)]);
  });
}

async function mergeState(
  database: TransactionalQueryable,
  workspace: ListenedWorkspace,
  state: LiveStateRef,
  fields: object,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await ensureDocument(transaction, workspace, state);
    const record = await lockLiveState(transaction, state);
    const [merged] = await mergeFields([{ id: state.liveStateDataId, record, fields }]);
    if (merged) {
      if (isRecordTooLarge(merged.record)) {
        const name = `Live state ${JSON.stringify(state.liveStateDataId)}`;
        throw new ServiceError("limit_reached", `${name} would be larger than 64 KiB as JSON text.`);
      }
      await replaceLockedState(transaction, state, merged.record);
    }
    await recordEvents(transaction, workspace, () => [eventOf(state)]);
  });
}

function eventOf({ organizationKey, documentId, liveStateDataId }: LiveStateRef): NewEvent {
  return { organizationKey, documentId, kind: "live_state.update", subject: { liveStateDataId } };
}
