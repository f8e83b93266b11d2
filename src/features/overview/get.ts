import Type from "typebox";
import { operation } from "../../contract/operation.ts";
import { settingsOf } from "../workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../workspaces/email-config/queries.ts";
import { type Figures, readFigures } from "./figures.ts";
import { selectState } from "./queries.ts";

const Count = Type.Integer({ minimum: 0 });
const DAY_MS = 24 * 60 * 60 * 1000;

/** Every figure is exact as of when it was counted, which on a large workspace may be some seconds ago. */
export const getOverview = operation({
  path: "/v2/workspace/overview/get",
  summary: "Read the figures of the workspace",
  description:
    "Activities per day (in UTC, the last `days` days, empty ones included, oldest first) and by `featureType`, of " +
    "the organizations that are not disabled. `organizations`, `documents` and `users` count what is there, " +
    "disabled organizations included, and a user of several organizations once. What is being deleted counts " +
    "nowhere. The counts are exact; where counting takes more than 0.1 s, they are kept for twenty times as long. " +
    "`queuedJobs` (waiting or running, as of a few seconds ago) and `databaseSizeBytes` are of the whole server. " +
    "`setup` tells what there is to set up: `publicUrl` is null while `PUBLIC_URL` is not set.",
  message: "Overview retrieved.",
  request: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 14 })) }),
  response: Type.Object({
    activitiesPerDay: Type.Array(
      Type.Object({
        day: Type.String({ description: "YYYY-MM-DD" }),
        total: Count,
        featureTypes: Type.Record(Type.String(), Count, { description: "Those that there are any of." }),
      }),
    ),
    organizations: Count,
    documents: Count,
    users: Count,
    queuedJobs: Count,
    databaseSizeBytes: Count,
    setup: Type.Object({
      hasSmtp: Type.Boolean({ description: "Whether the server has a mail server of its own." }),
      hasOwner: Type.Boolean({ description: "Whether the workspace has an owner's address to sign in with." }),
      isActivityServiceEnabled: Type.Boolean(),
      isEmailServiceEnabled: Type.Boolean(),
      hasAllowedDomains: Type.Boolean(),
      hasActivities: Type.Boolean({ description: "Whether there has ever been one that is still kept." }),
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
  return Array.from({ length: days }, (_, index) => {
    const day = today - days + 1 + index;
    const found = counts.filter((count) => count.day === day);
    return {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      total: found.reduce((sum, { count }) => sum + count, 0),
      featureTypes: Object.fromEntries(found.map(({ featureType, count }) => [featureType, count])),
    };
  });
}
