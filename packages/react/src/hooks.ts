import type { Activity, Presence } from "@colloquy/client";
import { useSession } from "./provider.tsx";
import { type Live, type LivePages, PAGE_SIZE, placeByTime, placeLast, useLive } from "./use-live.ts";

/** Returns the newest activities of a document, or of all documents that the user may read, newest first. */
export function useActivities({ documentId }: { documentId?: string | undefined } = {}): LivePages<Activity[]> {
  const { organizationId } = useSession();
  const place = { organizationId, documentId };
  const scope = { ...place, activities: documentId === undefined };
  const order = { getId: ({ id }: Activity) => id, getTime: ({ timestamp }: Activity) => timestamp };
  return useLive<Activity>(
    {
      ...{ scope, pageSize: PAGE_SIZE, getId: order.getId },
      read: ({ call }, page, signal) => call("/v2/activities/get", { ...place, ...page }, { signal }),
      apply(list, event) {
        switch (event.event) {
          case "activity.add":
          case "activity.update":
            return placeByTime(list, event.record, order);
          case "activity.delete":
            return list.data.filter(({ id }) => id !== event.subject.id);
          case "document.delete":
            return list.data.some(({ metadata }) => metadata.documentId === event.documentId) ? "read" : list.data;
          default:
            return list.data;
        }
      },
    },
    JSON.stringify(["activities", place]),
  );
}

/** Returns the users of a document. The page itself is in it while it is open. */
export function usePresence({ documentId }: { documentId: string }): Live<Presence[]> {
  const { organizationId } = useSession();
  const scope = { organizationId, documentId };
  const getId = ({ userId }: Presence) => userId;
  return useLive<Presence>(
    {
      ...{ scope, getId },
      read: ({ call }, _page, signal) => call("/v2/presence/get", scope, { signal }),
      apply({ data }, event) {
        if (event.event === "presence.delete") return data.filter(({ userId }) => userId !== event.subject.userId);
        return event.event === "presence.update" ? placeLast(data, event.record, getId) : data;
      },
    },
    JSON.stringify(["presence", scope]),
  );
}
