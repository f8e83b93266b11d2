import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { acrossOrganizations } from "../tenancy/organization-scope.ts";
import { hasProvider, parseSettings } from "../workspaces/email-config/email-config.ts";
import { selectEmailConfig } from "../workspaces/email-config/email-config-queries.ts";
import { isTimeZone } from "./calendar.ts";
import { HEALTH_EXAMPLE, Health, readHealth } from "./health.ts";
import { type PeriodCount, selectState } from "./overview-queries.ts";
import { readStatistics } from "./statistics.ts";

const Count = Type.Integer({ minimum: 0 });
const StartsAt = Type.Integer({ description: "Milliseconds since the epoch." });
const counted = {
  startsAt: StartsAt,
  total: Count,
  featureTypes: Type.Record(Type.String(), Count, { description: "Counts above zero." }),
};
const TimeZone = Type.Refine(
  Type.String({ maxLength: 64, default: "UTC", description: "Name in the IANA database, such as `Europe/Berlin`." }),
  isTimeZone,
  () => "must be a time zone, such as Europe/Berlin",
);
/** Ten years. */
const MAX_DAYS = 3_653;

const Overview = Type.Object(
  {
    activitiesPerDay: Type.Array(Type.Object({ day: Type.String({ description: "YYYY-MM-DD" }), ...counted })),
    activitiesPerHour: Type.Optional(Type.Array(Type.Object(counted))),
    last24Hours: Count,
    previous24Hours: Count,
    organizations: Count,
    documents: Count,
    users: Count,
    activeUsers: Count,
    queuedJobs: Count,
    databaseSizeBytes: Count,
    health: Health,
    setup: Type.Object({
      hasSmtp: Type.Boolean({
        description: "Whether there is a mail server: `SMTP_URL` is set, or the workspace has a provider of its own.",
      }),
      hasOwner: Type.Boolean({ description: "Whether the workspace has an owner who can sign in." }),
      isActivityServiceEnabled: Type.Boolean(),
      isEmailServiceEnabled: Type.Boolean(),
      hasAllowedDomains: Type.Boolean(),
      hasActivities: Type.Boolean({ description: "Whether the workspace has any activity." }),
      publicUrl: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  {
    title: "Overview",
    examples: [
      {
        activitiesPerDay: [
          { day: "2026-11-22", startsAt: 1_795_302_000_000, total: 96, featureTypes: { comment: 36, custom: 60 } },
          { day: "2026-11-23", startsAt: 1_795_388_400_000, total: 113, featureTypes: { comment: 43, custom: 70 } },
          { day: "2026-11-24", startsAt: 1_795_474_800_000, total: 41, featureTypes: { comment: 16, custom: 25 } },
        ],
        last24Hours: 120,
        previous24Hours: 101,
        organizations: 3,
        documents: 12,
        users: 40,
        activeUsers: 34,
        queuedJobs: 0,
        databaseSizeBytes: 48_234_496,
        health: HEALTH_EXAMPLE,
        setup: {
          hasSmtp: true,
          hasOwner: true,
          isActivityServiceEnabled: true,
          isEmailServiceEnabled: true,
          hasAllowedDomains: true,
          hasActivities: true,
          publicUrl: "https://colloquy.example.com",
        },
      },
    ],
  },
);

const Request = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 14 })),
  timeZone: Type.Optional(TimeZone),
});

/** Reads the statistics of the workspace. Each is exact; on a large workspace it may be some seconds old. */
export const getOverview = operation({
  path: "/v2/workspace/overview/get",
  summary: "Read the statistics of the workspace",
  description:
    "Counts activities per day of the `timeZone` (for the last `days` days, days without activities included, oldest " +
    "first) and by `featureType`, in organizations and documents that are not disabled; with up to two days per hour " +
    "as well. `last24Hours` and `previous24Hours` end now and 24 hours ago. `organizations`, `documents` and `users` " +
    "(those with a record) include disabled ones; `activeUsers` have acted in the last 30 days. A user of several " +
    "organizations counts once. Organizations that are being deleted are not counted. The counts are exact; " +
    "if counting takes more than 0.1 s, they are cached for twenty times as long. `queuedJobs` (waiting or running, " +
    "a few seconds old) and `databaseSizeBytes` refer to the whole service. `health` counts failing webhooks, " +
    "mails that a mail server did not accept, and errors of the request log in the last 24 hours; its disk (of " +
    "`DATA_DIR`), version and last `colloquy backup` refer to the whole service. `setup` says what is set up; " +
    "`publicUrl` is null if `PUBLIC_URL` is not set.",
  message: "Overview retrieved.",
  scope: "read",
  request: Request,
  response: Overview,
  example: { days: 3, timeZone: "Europe/Berlin" },
  handle,
});

async function handle(context: Context, { days = 14, timeZone = "UTC" }: Static<typeof Request>) {
  const { database, workspace, jobs, mailer, publicUrl } = context;
  const [statistics, { databaseSizeBytes, ...state }, emailConfig, queues, health] = await Promise.all([
    readStatistics(database, workspace.id, days, timeZone),
    selectState(acrossOrganizations(database), workspace.id),
    selectEmailConfig(database, workspace.id),
    jobs.depth(),
    readHealth(context),
  ]);
  const { counts, lastDay, dayBefore } = statistics;
  return {
    activitiesPerDay: withCounts(statistics.days, counts),
    ...(statistics.hours.length > 0 && {
      activitiesPerHour: withCounts(
        statistics.hours.map((startsAt) => ({ startsAt })),
        counts,
      ),
    }),
    last24Hours: getSum(counts, lastDay, Infinity),
    previous24Hours: getSum(counts, dayBefore, lastDay),
    ...statistics.totals,
    queuedJobs: queues.reduce((sum, { queued, active }) => sum + queued + active, 0),
    databaseSizeBytes,
    health,
    setup: {
      ...state,
      hasSmtp: mailer.hasServer || hasProvider(emailConfig),
      isActivityServiceEnabled: workspace.activityServiceEnabled,
      isEmailServiceEnabled: parseSettings(emailConfig).useEmailService,
      publicUrl: publicUrl ?? null,
    },
  };
}

/** Returns each period with what was counted between its start and that of the next one. */
function withCounts<Period extends { startsAt: number }>(periods: Period[], counts: PeriodCount[]) {
  const starts = counts.map(({ startsAt }) => startsAt);
  let next = 0;
  return periods.map((period, index) => {
    const end = periods[index + 1]?.startsAt ?? Infinity;
    while ((starts[next] ?? Infinity) < period.startsAt) next++;
    const featureTypes: Record<string, number> = {};
    let total = 0;
    for (; (starts[next] ?? Infinity) < end; next++) {
      const { featureType = "", count = 0 } = counts[next] ?? {};
      featureTypes[featureType] = (featureTypes[featureType] ?? 0) + count;
      total += count;
    }
    return { ...period, total, featureTypes };
  });
}

function getSum(counts: PeriodCount[], from: number, to: number): number {
  return counts.reduce((sum, { startsAt, count }) => (startsAt >= from && startsAt < to ? sum + count : sum), 0);
}
