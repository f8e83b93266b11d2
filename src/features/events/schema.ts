import Type, { type Static } from "typebox";
import type { EventInterest } from "../../contract/event-reading.ts";
import { Identifier } from "../../contract/schema.ts";
import { COMMENT_EXAMPLE } from "../comments/comments/comment.ts";
import { EVENT_KINDS } from "../event-log/event.ts";

/** Maximum number of events in a response. */
export const MAX_PAGE_SIZE = 100;
const MAX_WAIT_SECONDS = 25;
/** Maximum number of documents that a call or stream follows. Their IDs are in the URL of a stream. */
const MAX_DOCUMENTS = 100;

/** The events that are read, and how. */
export const EventsRequest = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  documentIds: Type.Optional(Type.Array(Identifier, { minItems: 1, maxItems: MAX_DOCUMENTS })),
  inbox: Type.Optional(Type.Literal(true, { description: "Whether to add what changes the inbox of the user." })),
  activities: Type.Optional(
    Type.Literal(true, { description: "Whether to add the activities of all documents that the caller may read." }),
  ),
  presenceData: Type.Optional(
    Type.Literal(true, { description: "Whether to add what pages share about their users. Only streams have it." }),
  ),
  kinds: Type.Optional(Type.Array(Type.Enum([...EVENT_KINDS]), { minItems: 1, maxItems: EVENT_KINDS.length })),
  cursor: Type.Optional(Type.String({ maxLength: 4096, description: "Cursor of an earlier response, unchanged." })),
  waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE })),
});

/** The events of an organization that a caller follows. */
export interface EventScope extends Omit<EventInterest, "userId"> {
  organizationId: string;
}

/** Returns the events that a request is for. */
export function getScope(request: Static<typeof EventsRequest>): EventScope {
  const { organizationId, documentId = [], documentIds = [], inbox = false, activities = false, kinds } = request;
  return { organizationId, documentIds: [...new Set([documentIds, documentId].flat())], inbox, activities, kinds };
}

const RECORD = "The record as its `get` returns it to the caller; absent from a deletion.";

const CURSOR = "RjwDPNw2CfFOKPqD7Otf3VswLDE3OTU1OTE5MTMwMDld";

const Event = Type.Object(
  {
    event: Type.Enum([...EVENT_KINDS], { description: "Kind of the event." }),
    organizationId: Identifier,
    documentId: Type.Optional(Identifier),
    timestamp: Type.Integer({ description: "Time of the change, in milliseconds since the epoch." }),
    subject: Type.Object({}, { additionalProperties: true, description: "IDs of what has changed." }),
    cursor: Type.String({ description: "Cursor after this event." }),
    record: Type.Optional(Type.Object({}, { additionalProperties: true, description: RECORD })),
  },
  {
    title: "Event",
    examples: [
      {
        event: "comment.add",
        organizationId: "acme",
        documentId: "contract-7",
        timestamp: COMMENT_EXAMPLE.createdAt,
        subject: { annotationId: "annotation-1", commentId: COMMENT_EXAMPLE.commentId },
        cursor: CURSOR,
        record: COMMENT_EXAMPLE,
      },
    ],
  },
);

/** Events, and the cursor from which to read on. */
export const EventsResponse = Type.Object({
  events: Type.Array(Event),
  cursor: Type.String({ examples: [CURSOR] }),
  isReset: Type.Optional(Type.Literal(true)),
});
