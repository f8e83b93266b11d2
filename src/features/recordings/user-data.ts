import { purgeRowsStep, readAddresses, redactMentionsStep } from "../purge/steps.ts";
import type { UserDataKind } from "../purge/user-data-kind.ts";
import { selectRecordingExportPage } from "./recording-queries.ts";

const ROWS = { table: "recordings", key: ["id"], writtenAt: "created_at" };

/** Deletes the recordings that the users made, and redacts the users in the recordings of others. */
export const recordingData: UserDataKind = {
  kind: "recordings",
  columns: { recordings: ["user_id", "record"] },
  findAddresses: (organization, users) => readAddresses(organization, ROWS, "from", users),
  steps: [purgeRowsStep(ROWS), redactMentionsStep({ ...ROWS, hasBytes: true }, ["annotationId", "type", "metadata"])],
  selectPage: selectRecordingExportPage,
};
