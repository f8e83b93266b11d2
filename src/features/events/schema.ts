import Type from "typebox";
import { Identifier } from "../../contract/schema.ts";
import { COMMENT_EXAMPLE } from "../comments/comments/comment.ts";
import { EVENT_KINDS } from "../event-log/event.ts";

/** Maximum number of events in an answer. */
export const MAX_PAGE_SIZE = 100;
const MAX_WAIT_SECONDS = 25;

/** The events that are read, and how. */
export const EventsRequest = Type.Object({
  organizationId: Identifier,
  documentId: Type.Optional(Identifier),
  kinds: Type.Optional(Type.Array(Type.Enum([...EVENT_KINDS]), { minItems: 1, maxItems: EVENT_KINDS.length })),
  cursor: Type.Optional(Type.String({ maxLength: 4096, description: "Cursor of an earlier answer, unchanged." })),
  waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE })),
});

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
export const EventsAnswer = Type.Object({
  events: Type.Array(Event),
  cursor: Type.String({ examples: [CURSOR] }),
  isReset: Type.Optional(Type.Literal(true)),
});
