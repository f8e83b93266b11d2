import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { settingsOf } from "../workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../workspaces/email-config/queries.ts";
import { type Figures, readFigures } from "./figures.ts";
import { selectState } from "./queries.ts";

const Count = Type.Integer({ minimum: 0 });
const DAY_MS = 24 * 60 * 60 * 1000;
/** Ten years. */
const MAX_DAYS = 3_653;

/** Reads the figures of the workspace. Each is exact; on a large workspace it may be some seconds old. */
export const getOverview = operation({
  path: "/v2/workspace/overview/get",
  summary: "Read the figures of the workspace",
  description:
    "Counts activities per day (in UTC, for the last `days` days, days without activities included, oldest " +
    "first) and by `featureType`, in organizations and documents that are not disabled. `organizations`, " +
    "`documents` and `users` include disabled ones, and count a user of several organizations once. Organizations " +
    "that are being deleted are not counted. The counts are exact; if counting takes more than 0.1 s, they are " +
    "cached for twenty times as long. `queuedJobs` (waiting or running, a few seconds old) and `databaseSizeBytes` " +
    "refer to the whole service. `setup` says what is set up; `publicUrl` is null if `PUBLIC_URL` is not set.",
  message: "Overview retrieved.",
  scope: "read",
  request: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 14 })) }),
  response: Type.Object({
    activitiesPerDay: Type.Array(
      Type.Object({
        day: Type.String({ description: "YYYY-MM-DD" }),
        total: Count,
        featureTypes: Type.Record(Type.String(), Count, { description: "Counts above zero." }),
      }),
    ),
    organizations: Count,
    documents: Count,
    users: Count,
    queuedJobs: Count,
    databaseSizeBytes: Count,
    setup: Type.Object({
      hasSmtp: Type.Boolean({ description: "Whether `SMTP_URL` is set." }),
      hasOwner: Type.Boolean({ description: "Whether the workspace has an owner who can sign in." }),
      isActivityServiceEnabled: Type.Boolean(),
      isEmailServiceEnabled: Type.Boolean(),
      hasAllowedDomains: Type.Boolean(),
      hasActivities: Type.Boolean({ description: "Whether the workspace has any activity." }),
      publicUrl: Type.Union([Type.String(), Type.Null()]),
    }),
  }),
  example: { days: 14 },
  async handle({ workspace, database, jobs, mailer, publicUrl }, { days = 14 }) {
    const [figures, { databaseSizeBytes, ...state }, emailConfig, queues] = await Promise.all([
      readFigures(database, workspace.id, days),
      selectState(database, workspace.id),
      selectEmailConfig(database, workspace.id),
      jobs.depth(),
    ]);
    return {
      activitiesPerDay: activitiesPerDay(figures, days),
      ...figures.totals,
      queuedJobs: queues.reduce((sum, { queued, active }) => sum + queued + active, 0),
      databaseSizeBytes,
      setup: {
        ...state,
        hasSmtp: mailer.hasServer,
        isActivityServiceEnabled: workspace.activityServiceEnabled,
        isEmailServiceEnabled: settingsOf(emailConfig).useEmailService,
        publicUrl: publicUrl ?? null,
      },
    };
  },
});

function activitiesPerDay({ today, counts }: Figures, days: number) {
  const countsByDay = Map.groupBy(counts, ({ day }) => day);
  return Array.from({ length: days }, (_, index) => {
    const day = today - days + 1 + index;
    const found = countsByDay.get(day) ?? [];
    return {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      total: found.reduce((sum, { count }) => sum + count, 0),
      featureTypes: Object.fromEntries(found.map(({ featureType, count }) => [featureType, count])),
    };
  });
}
