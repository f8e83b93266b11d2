import Type, { type Static } from "typebox";

const Time = Type.Number({ minimum: 0 });
const TimeOrNull = (description: string) => Type.Union([Time, Type.Null()], { description });

/** Schema of the times for which the service keeps data. */
export const Retention = Type.Object(
  {
    activityDays: TimeOrNull("`ACTIVITY_RETENTION_DAYS`. Null: until they are deleted."),
    notificationDays: TimeOrNull("`NOTIFICATION_RETENTION_DAYS`. Null: until they are deleted."),
    mailDays: Time,
    requestDays: Time,
    auditDays: Time,
    eventHours: Time,
  },
  {
    title: "Retention",
    examples: [
      { activityDays: 90, notificationDays: null, mailDays: 30, requestDays: 30, auditDays: 365, eventHours: 72 },
    ],
  },
);
export type Retention = Static<typeof Retention>;

/** The service, which all workspaces share. */
export interface Host {
  version: string;
  /** Reads how full the disk of DATA_DIR is. */
  readDisk(): Promise<{ freeBytes: number; totalBytes: number }>;
  /** For how long the service keeps data. */
  retention: Retention;
}
