import type { Static } from "typebox";
import { invalidField } from "../../contract/errors.ts";
import { type Context, operation } from "../../contract/operation.ts";
import { LogFollower } from "./follow.ts";
import { EventsRequest, EventsResponse } from "./schema.ts";

/** Reads events after a cursor, and waits for some if there are none. */
export const getEvents = operation({
  path: "/v2/events/get",
  summary: "Read the events after a cursor, or wait for them",
  description:
    "Returns what has changed since `cursor`, oldest first, and the `cursor` for the next call. Without one it " +
    "returns the cursor from which to read on, and no events but the live states of the documents (the first " +
    "`pageSize`). If there are no events, it waits for `waitSeconds` at " +
    "most until there are.\n\n`documentIds` are added to `documentId`. `inbox` adds what " +
    "changes the inbox of the user of the token, in whichever document, and `activities` the activities of all " +
    "documents that the caller may read. Without any of them, all events of the organization are read." +
    "\n\n`record` is the record as its `get` operation returns it to the caller at the time of the response; a " +
    "deletion has none, only the IDs in `subject`. Users get the events of what they may see." +
    "\n\nEvents are written from the first call, or the first user token, of a workspace on, and kept for " +
    "`EVENT_RETENTION_HOURS`. If some after the cursor are no longer kept, the response has `isReset`: read the " +
    "records again, then go on with the new cursor.",
  message: "Events retrieved.",
  scope: "read",
  endUsers: { role: "viewer", on: "optionalDocuments" },
  request: EventsRequest,
  response: EventsResponse,
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", documentId: "contract-7" },
  handle,
});

async function handle(context: Context, request: Static<typeof EventsRequest>) {
  if (request.presenceData) throw invalidField("data.presenceData", "is only a parameter of the stream");
  const deadline = performance.now() + (request.waitSeconds ?? 0) * 1000;
  const follower = new LogFollower(context, request, { checksCaller: false });
  try {
    for (;;) {
      const step = await follower.next();
      if (step && step.reason !== "accessCheckDue") return step.page;
      if (step) continue;
      const waitMs = deadline - performance.now();
      if (waitMs <= 0) return follower.emptyPage();
      await context.waitOutside(new Promise<void>((wake) => follower.wait(waitMs, wake)));
    }
  } finally {
    follower.end();
  }
}
