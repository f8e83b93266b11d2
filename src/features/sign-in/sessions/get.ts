import Type from "typebox";
import { type Context, operation } from "../../../contract/operation.ts";
import { sessionOwner } from "./session-owner.ts";
import { listSessions } from "./session-queries.ts";

const Time = Type.Integer({ description: "Milliseconds since the epoch." });

const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Time,
    lastUsedAt: Time,
    expiresAt: Time,
    userAgent: Type.String({ description: "User-Agent header of the browser, at most 256 characters." }),
    isCurrent: Type.Boolean({ description: "Whether this is the session of the request." }),
  },
  {
    title: "Session",
    examples: [
      {
        id: "019aa5b0-2c44-7e0a-8f51-6d7c8b9a0e1f",
        createdAt: 1_795_512_600_000,
        lastUsedAt: 1_795_512_645_000,
        expiresAt: 1_796_117_400_000,
        userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/146.0",
        isCurrent: true,
      },
    ],
  },
);

/** Lists the caller's sessions. */
export const getSessions = operation({
  path: "/v2/workspace/sessions/get",
  summary: "Read the console sessions of the workspace's owner",
  description:
    "With API key and auth token: the sessions of the current owner of the workspace, by email address. In a " +
    "session: those of the same person. Sessions are ordered oldest first. A session ends 7 days after signing " +
    "in, or after 24 hours without use. `lastUsedAt` is updated some seconds after the use.",
  message: "Sessions retrieved.",
  scope: "admin",
  request: Type.Object({}),
  response: Type.Array(Session),
  example: {},
  handle,
});

async function handle(context: Context) {
  const owner = await sessionOwner(context);
  if (owner === undefined) return [];
  const sessions = await listSessions(context.database, owner.address);
  return sessions.map((session) => ({ ...session, isCurrent: session.id === context.session?.id }));
}
