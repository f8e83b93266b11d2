import Type, { type Static } from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { Identifier, timeFilters } from "../../contract/schema.ts";
import { ReachedLimit } from "./get.ts";
import { selectReachedLimits, selectRequestCounts } from "./request-log-queries.ts";

const INTERVALS = 30;

const Request = Type.Object({
  operation: Type.Optional(Identifier),
  authTokenId: Type.Optional(Identifier),
  organizationId: Type.Optional(Identifier),
  ...timeFilters,
});

const MsOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description, examples: [4.2] });

const time = (example: number) => Type.Integer({ description: "Milliseconds since the epoch.", examples: [example] });

const Counts = {
  requests: Type.Integer({ examples: [1_200] }),
  errors: Type.Integer({ description: "Requests whose status is not `OK`.", examples: [7] }),
};

/** Counts the requests of the request log and their errors. */
export const getRequestStatistics = operation({
  path: "/v2/workspace/requests/statistics/get",
  summary: "Read the error rate and the latency of requests",
  description:
    "Counts the requests in the request log (`/v2/workspace/requests/get`) and their errors, in all and in 30 " +
    "intervals of equal length, and returns the median and the 95th percentile of their durations. Without `from` " +
    "and `to`, the period is that of the requests in the log. `limits` says which callers have reached which limits.",
  message: "Request statistics retrieved.",
  scope: "admin",
  request: Request,
  response: Type.Object({
    ...Counts,
    medianMs: MsOrNull("Median of the durations; null without requests."),
    p95Ms: MsOrNull("95th percentile of the durations; null without requests."),
    intervals: Type.Array(
      Type.Object({
        startsAt: time(1_795_512_600_000),
        endsAt: time(1_795_512_720_000),
        ...Counts,
      }),
      { description: "Oldest first; empty without requests." },
    ),
    limits: Type.Array(
      Type.Object({
        limit: ReachedLimit,
        userId: Type.Union([Type.String(), Type.Null()], { description: "Null for a backend." }),
        authTokenId: Type.Union([Type.String(), Type.Null()], { description: "Null for a user." }),
        requests: Type.Integer({ examples: [420] }),
        lastAt: time(1_795_512_690_000),
      }),
      { description: "Callers that have reached limits, those with the most rejected requests first; 100 at most." },
    ),
  }),
  example: { operation: "/v2/activities/add" },
  handle,
});

async function handle({ database, workspace }: Context, filters: Static<typeof Request>) {
  const found = await selectRequestCounts(database, workspace.id, filters, INTERVALS);
  const limits = await selectReachedLimits(database, workspace.id, filters);
  const { requests = 0, errors = 0, medianMs = null, p95Ms = null, startsAt = null, endsAt = null } = found ?? {};
  if (requests === 0 || startsAt === null || endsAt === null) {
    return { requests, errors, medianMs, p95Ms, intervals: [], limits };
  }
  const counts = new Map(found?.intervals.map((interval) => [interval.place, interval]));
  const boundary = (place: number) => Math.round(startsAt + (place * (endsAt - startsAt)) / INTERVALS);
  const intervals = Array.from({ length: INTERVALS }, (_, index) => {
    const { requests: inInterval = 0, errors: failed = 0 } = counts.get(index + 1) ?? {};
    return { startsAt: boundary(index), endsAt: boundary(index + 1), requests: inInterval, errors: failed };
  });
  return { requests, errors, medianMs, p95Ms, intervals, limits };
}
