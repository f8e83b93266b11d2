import Type, { type Static } from "typebox";

const Count = Type.Integer({ minimum: 0 });
const Time = Type.Integer({ description: "Milliseconds since the epoch." });

/** A document with its statistics, as lists of documents in an organization have it. */
export const DocumentStatistics = Type.Object(
  {
    id: Type.String(),
    documentName: Type.String({ description: "Empty until it is set." }),
    folderId: Type.Optional(Type.String({ description: "Missing outside of any folder." })),
    disabled: Type.Boolean(),
    createdAt: Time,
    annotations: Count,
    users: Type.Integer({ minimum: 0, description: "Users of the document." }),
    contentBytes: Type.Integer({
      minimum: 0,
      description: "Stored bytes of its collaborative documents: their states, updates that are not merged, versions.",
    }),
    lastActivity: Type.Union([Time, Type.Null()]),
  },
  {
    title: "DocumentStatistics",
    examples: [
      {
        id: "contract-7",
        documentName: "Contract 7",
        folderId: "contracts",
        disabled: false,
        createdAt: 1_795_474_800_000,
        annotations: 3,
        users: 2,
        contentBytes: 18_240,
        lastActivity: 1_795_512_600_000,
      },
    ],
  },
);
export type DocumentStatistics = Static<typeof DocumentStatistics>;
