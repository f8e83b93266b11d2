import Type, { type Static } from "typebox";
import { ACCESS_ROLES } from "../../../contract/end-user.ts";

const Count = Type.Integer({ minimum: 0 });
const Time = Type.Integer({ description: "Milliseconds since the epoch." });

/** A user with its statistics, as lists of users in an organization have it. */
export const UserStatistics = Type.Object(
  {
    userId: Type.String(),
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    accessRole: Type.Optional(Type.Enum(ACCESS_ROLES)),
    isInOrganization: Type.Boolean({ description: "Whether it is a user of the organization itself." }),
    documents: Count,
    lastActivityAt: Type.Union([Time, Type.Null()]),
  },
  {
    title: "UserStatistics",
    examples: [
      {
        userId: "ada",
        name: "Ada Lovelace",
        email: "ada@example.com",
        accessRole: "editor",
        isInOrganization: true,
        documents: 3,
        lastActivityAt: 1_795_512_600_000,
      },
    ],
  },
);
export type UserStatistics = Static<typeof UserStatistics>;
