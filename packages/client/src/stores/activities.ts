import type { Activity } from "../api.generated.ts";
import { LiveList } from "./live-list.ts";
import { type PagesStore, toStore } from "./live-store.ts";
import { PAGE_SIZE, upsertByTime } from "./ordered-list.ts";
import { getStore, type Session } from "./session.ts";

const ORDER = { getId: ({ id }: Activity) => id, getTime: ({ timestamp }: Activity) => timestamp };

/** The activities to follow. */
export interface ActivitiesFilter {
  /** All documents that the user may read by default. */
  documentId?: string | undefined;
}

/** Returns the store of the newest activities of a document, or of all that the user may read, newest first. */
export function activitiesStore(session: Session, { documentId }: ActivitiesFilter = {}): PagesStore<Activity[]> {
  const place = { organizationId: session.organizationId, documentId };
  return getStore(session, ["activities", documentId], (context) =>
    toStore(
      new LiveList<Activity>(context, {
        scope: { ...place, activities: documentId === undefined },
        ...{ pageSize: PAGE_SIZE, getId: ORDER.getId },
        read: ({ call }, page, signal) => call("/v2/activities/get", { ...place, ...page }, { signal }),
        apply(list, event) {
          switch (event.event) {
            case "activity.add":
            case "activity.update":
              return upsertByTime(list, event.record, ORDER);
            case "activity.delete":
              return list.data.filter(({ id }) => id !== event.subject.id);
            case "document.delete":
              return list.data.some(({ metadata }) => metadata.documentId === event.documentId) ? "read" : list.data;
            default:
              return list.data;
          }
        },
      }),
    ),
  );
}
