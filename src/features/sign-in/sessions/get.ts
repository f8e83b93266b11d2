import Type from "typebox";
import { operation } from "../../../contract/operation.ts";
import { listSessions } from "./queries.ts";
import { sessionOwner } from "./session-owner.ts";

const Time = Type.Integer({ description: "Milliseconds since the epoch." });

/** Sessions of other people are like none. */
export const getSessions = operation({
  path: "/v2/workspace/sessions/get",
  summary: "Read the console sessions of the workspace's owner",
  description:
    "With a key and a token: the sessions of whoever owns the workspace now, by its owner's e-mail address. In a " +
    "session: those of the same person. The oldest first. A session ends 7 days after its sign-in, and after 24 " +
    "hours without use. `lastUsedAt` is written some seconds after the use.",
  message: "Sessions retrieved.",
  request: Type.Object({}),
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      createdAt: Time,
      lastUsedAt: Time,
      expiresAt: Time,
      userAgent: Type.String({ description: "What the browser calls itself, 256 characters at most." }),
      isCurrent: Type.Boolean({ description: "Whether it is the session of this request." }),
    }),
  ),
  example: {},
  async handle(context) {
    const owner = await sessionOwner(context);
    if (owner === undefined) return [];
    const sessions = await listSessions(context.database, owner.address);
    return sessions.map((session) => ({ ...session, isCurrent: session.id === context.session?.id }));
  },
});
