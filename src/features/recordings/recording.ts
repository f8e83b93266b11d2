import Type from "typebox";
import { Identifier, User } from "../../contract/schema.ts";

const Attachment = Type.Object({
  attachmentId: Type.Optional(Type.Integer()),
  url: Type.String({ minLength: 1, description: "Where the file lies; the service keeps the link, not the file." }),
  mimeType: Type.Optional(Type.String({ description: "Such as `video/mp4`." })),
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: "The file type, such as `mp4`." })),
  size: Type.Optional(Type.Integer({ minimum: 0, description: "Bytes." })),
});

/** The fields that `update` can replace. */
export const changeableFields = {
  recordingType: Type.Optional(Type.String({ description: "Such as `screen`." })),
  mode: Type.Optional(Type.String({ description: "Such as `floating`." })),
  recordedTime: Type.Optional(
    Type.Object({
      duration: Type.Optional(Type.Number({ minimum: 0, description: "In the caller's unit; kept as it is." })),
      display: Type.Optional(Type.String({ description: "Clock form, such as `00:01:30`." })),
    }),
  ),
  displayName: Type.Optional(Type.String()),
  attachments: Type.Optional(Type.Array(Attachment)),
};

const RecordingType = Type.Literal("recorder");
const From = Type.Interface([User], {}, { description: "The user who made it." });

export const NewRecording = Type.Object({
  annotationId: Type.Optional(Identifier),
  type: Type.Optional(RecordingType),
  from: Type.Optional(From),
  ...changeableFields,
});

export const Recording = Type.Object({
  annotationId: Identifier,
  type: RecordingType,
  from: Type.Optional(From),
  ...changeableFields,
  latestVersion: Type.Integer({ description: "1 at first; grows by one with each change." }),
  metadata: Type.Object({ apiKey: Type.String(), documentId: Identifier, organizationId: Identifier }),
});
