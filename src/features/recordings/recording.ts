import Type from "typebox";
import { Identifier, UrlExpiresAt, User } from "../../contract/schema.ts";

const attachmentFields = {
  attachmentId: Type.Optional(Type.Integer()),
  fileId: Type.Optional(
    Type.String({ description: "A file of `/v2/files/add`, which then belongs to the recording." }),
  ),
  mimeType: Type.Optional(Type.String({ description: "For example `video/mp4`." })),
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: "File type, for example `mp4`." })),
  size: Type.Optional(Type.Integer({ minimum: 0, description: "Size in bytes." })),
  urlExpiresAt: Type.Optional(UrlExpiresAt),
};
const Url = Type.String({
  minLength: 1,
  description: "Address of the file, required without `fileId`. With it, it is signed when the recording is read.",
});

const NewAttachment = Type.Refine(
  Type.Object({ ...attachmentFields, url: Type.Optional(Url) }),
  ({ fileId, url }) => (fileId ?? url) !== undefined,
  () => "must have a url or a fileId",
);
const Attachment = Type.Object({ ...attachmentFields, url: Url });

/** Fields that `update` can replace. */
export const changeableRecordingFields = {
  recordingType: Type.Optional(Type.String({ description: "For example `screen`." })),
  mode: Type.Optional(Type.String({ description: "For example `floating`." })),
  recordedTime: Type.Optional(
    Type.Object({
      duration: Type.Optional(Type.Number({ minimum: 0, description: "In a unit of your choice; stored as sent." })),
      display: Type.Optional(Type.String({ description: "Clock format, for example `00:01:30`." })),
    }),
  ),
  displayName: Type.Optional(Type.String()),
  attachments: Type.Optional(Type.Array(NewAttachment)),
};

const RecordingType = Type.Literal("recorder");
const From = Type.Interface(
  [User],
  {},
  { additionalProperties: true, description: "The user who made the recording." },
);

/** Fields of a new recording besides its author. */
export const newRecordingFields = {
  annotationId: Type.Optional(Identifier),
  type: Type.Optional(RecordingType),
  ...changeableRecordingFields,
};

export const NewRecording = Type.Object({ ...newRecordingFields, from: Type.Optional(From) });

export const Recording = Type.Object(
  {
    annotationId: Identifier,
    type: RecordingType,
    from: Type.Optional(From),
    ...changeableRecordingFields,
    attachments: Type.Optional(Type.Array(Attachment)),
    latestVersion: Type.Integer({ description: "Starts at 1 and grows by one with each change." }),
    metadata: Type.Object({ apiKey: Type.String(), documentId: Identifier, organizationId: Identifier }),
  },
  {
    title: "Recording",
    examples: [
      {
        annotationId: "recording-1",
        type: "recorder",
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
        latestVersion: 1,
        metadata: {
          apiKey: "colloquy_key_0123456789abcdef0123456789abcdef",
          documentId: "contract-7",
          organizationId: "acme",
        },
      },
    ],
  },
);

/** Reads the author and the document of a stored recording. */
export function readRecording(record: string): { authorId: string | undefined; documentId: string } {
  const { from, metadata } = JSON.parse(record);
  return { authorId: from?.userId, documentId: metadata.documentId };
}
