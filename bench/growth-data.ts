/** The activities with which `npm run bench -- growth` fills its databases, and the filters that find them. */
import type { Api } from "../src/operations.ts";

export type Filters = Omit<Api["/v2/activities/get"]["request"], "organizationId" | "pageSize" | "pageToken">;
type Activity = Api["/v2/activities/add"]["request"]["activities"][number];

export const RECORD_BYTES = 600;
const DOCUMENTS = 5;
const USERS = 7;
const THREADS = 11;
/** Numbers of the records of which there is one in each organization. */
const RARE = 500;
const RECORDING_IN_ANOTHER_DOCUMENT = 505;
const RECORDING_OF_ANOTHER_USER = 511;

/**
 * Returns the activity with this number in its organization, counted from the oldest. Each document, user, thread and
 * type has at least one record in eleven, with these exceptions: one record has the types `crdt` and `crdt.restore`,
 * and of the recordings, one in ten, one is in document-0 and one by user-7, who wrote one record in document-0.
 */
export function buildActivity(number: number): Activity {
  const isOfUser7 = number % 10 === 1 || number === RARE;
  const user = { userId: isOfUser7 ? "user-7" : `user-${number % USERS}`, name: "Ada Lovelace" };
  return {
    ...getTypes(number),
    actionUser: { ...user, email: "ada@example.com" },
    targetEntityId: `thread-${number % THREADS}`,
    changes: { text: { from: null, to: "We should say thirty days here." } },
    entityData: { text: filler },
    displayMessageTemplate: "{{user}} commented on {{document}}",
    displayMessageTemplateData: { user, document: "Contract" },
  };
}

let filler = "";
filler = "x".repeat(RECORD_BYTES - JSON.stringify(buildActivity(0)).length);

export function getDocument(number: number): string {
  return `document-${number % DOCUMENTS}`;
}

function getTypes(number: number): Pick<Activity, "featureType" | "actionType"> {
  if (number === RARE) return { featureType: "crdt", actionType: "crdt.restore" };
  const isRecording =
    number % 10 === 3 || number === RECORDING_IN_ANOTHER_DOCUMENT || number === RECORDING_OF_ANOTHER_USER;
  if (isRecording) return { featureType: "recorder", actionType: "recorder.add" };
  const featureType = number % 3 === 0 ? "reaction" : "comment";
  return { featureType, actionType: `${featureType}.${number % 2 === 0 ? "add" : "update"}` };
}

const COMMENTS: Filters = { featureTypes: ["comment"] };
const COMMENTS_AND_REACTIONS: Filters = { featureTypes: ["comment", "reaction"] };
const RECORDINGS: Filters = { featureTypes: ["recorder"] };
const ADDS: Filters = { actionTypes: ["comment.add", "reaction.add"] };

/** Filters that users send. All have more than a page of matches, except those whose name says that there is one. */
export const FILTERS: Record<string, Filters> = {
  documentId: { documentId: "document-0" },
  targetEntityId: { targetEntityId: "thread-0" },
  userId: { userId: "user-0" },
  "featureTypes, one": COMMENTS,
  "featureTypes, two": COMMENTS_AND_REACTIONS,
  "featureTypes, two, one match": { featureTypes: ["crdt", "custom"] },
  "actionTypes, one": { actionTypes: ["comment.add"] },
  "actionTypes, two": ADDS,
  "actionTypes, two, one match": { actionTypes: ["crdt.restore", "crdt.merge"] },
  "documentId, userId": { documentId: "document-0", userId: "user-0" },
  "documentId, userId, one match": { documentId: "document-0", userId: "user-7" },
  "documentId, targetEntityId": { documentId: "document-0", targetEntityId: "thread-0" },
  "documentId, featureTypes": { documentId: "document-0", ...COMMENTS },
  "documentId, featureTypes, one match": { documentId: "document-0", ...RECORDINGS },
  "documentId, two featureTypes": { documentId: "document-0", ...COMMENTS_AND_REACTIONS },
  "documentId, two actionTypes": { documentId: "document-0", ...ADDS },
  "targetEntityId, featureTypes": { targetEntityId: "thread-0", ...COMMENTS },
  "userId, featureTypes": { userId: "user-0", ...COMMENTS },
  "userId, featureTypes, one match": { userId: "user-7", ...RECORDINGS },
  "two featureTypes, two actionTypes": { ...COMMENTS_AND_REACTIONS, ...ADDS },
};
