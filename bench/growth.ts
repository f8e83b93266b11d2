/**
 * `npm run bench -- growth`: compares the processor time of requests in a database of 10,000 activities with that in
 * one of ten million, which takes 25 GB of disk meanwhile. `GROWTH_RECORDS=200000` reduces the number of records.
 */
import pg from "pg";
import { buildActivity, FILTERS, getDocument, RECORD_BYTES } from "./growth-data.ts";
import { fill, LARGEST_ONE_IN, organizationIds } from "./growth-fill.ts";
import { type Load, measure } from "./load.ts";
import type { PostgresServer } from "./postgres.ts";
import { processorTimeUs } from "./processor-time.ts";
import { AUTHENTICATION_HEADERS, type RunningService, startService } from "./service.ts";

const RECORDS = Number(process.env.GROWTH_RECORDS ?? 10_000_000);
const SMALL_RECORDS = 10_000;
const RECORDS_PER_ORGANIZATION = 1_000;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 8;
const ROUNDS = 3;
const SECONDS = 1;
const ATTEMPTS = 3;
const SLOW_MS = 30;
const PAGE_SIZE = 10;
const LONGEST_PAGE = 1_000;
const DEEP_PAGE = 10_000;
/** Maximum number of organizations to which the requests of a side go in turn. */
const ORGANIZATIONS_IN_TURN = 200;
const TARGET = 1.2;
const BYTES = `select 'table' as name, pg_table_size('activities')::float8 as bytes union all
  select * from (select indexrelid::regclass::text, pg_relation_size(indexrelid)::float8 from pg_index
    where indrelid = 'activities'::regclass order by 1) as each union all
  select 'all', pg_total_relation_size('activities')::float8`;
const NAME_WIDTH = 38;
const CELL_WIDTH = 12;

interface Database {
  service: RunningService;
  connectionString: string;
  server: PostgresServer;
}

/** Organizations of one database, to which requests go in turn. */
interface Side {
  database: Database;
  organizationIds: string[];
  /** Number of records in each organization. */
  records: number;
}

interface Case {
  name: string;
  path: "/v2/activities/add" | "/v2/activities/get";
  buildRequest(side: Side, organizationId: string): object | Promise<object>;
}

const FIRST_PAGE: Case = {
  name: "get, page 1",
  path: "/v2/activities/get",
  buildRequest: () => ({ pageSize: PAGE_SIZE }),
};

const CASES: Case[] = [
  FIRST_PAGE,
  { name: "get, page 10,000", path: "/v2/activities/get", buildRequest: deepPage },
  { name: "get by ten activityIds", path: "/v2/activities/get", buildRequest: getFirstPageIds },
  ...Object.entries(FILTERS).map(([name, filters]) => ({
    name: `get by ${name}`,
    path: "/v2/activities/get" as const,
    buildRequest: () => ({ ...filters, pageSize: PAGE_SIZE }),
  })),
  // This comes last, since it adds records.
  {
    name: "add",
    path: "/v2/activities/add",
    buildRequest: () => ({ documentId: getDocument(0), activities: [buildActivity(0)] }),
  },
];

/** Fills two servers, each with its own service, and prints the costs of all cases on both. */
export async function measureGrowth(servers: { small: PostgresServer; large: PostgresServer }): Promise<void> {
  await using small = await startOn(servers.small);
  await using large = await startOn(servers.large);
  await fillAndPrintBytes(small, SMALL_RECORDS);
  await fillAndPrintBytes(large, RECORDS);
  const [largest = "", ...others] = organizationIds(RECORDS / RECORDS_PER_ORGANIZATION);
  const ordinary = Math.floor((RECORDS - RECORDS / LARGEST_ONE_IN) / others.length);
  const sides: [Side, Side, Side] = [
    {
      database: small,
      organizationIds: organizationIds(SMALL_RECORDS / RECORDS_PER_ORGANIZATION),
      records: SMALL_RECORDS / LARGEST_ONE_IN,
    },
    { database: large, organizationIds: others.slice(0, ORGANIZATIONS_IN_TURN), records: ordinary },
    { database: large, organizationIds: [largest], records: RECORDS / LARGEST_ONE_IN },
  ];
  console.log(
    `\nProcessor time of one request in µs, in the service and PostgreSQL, pages of ${PAGE_SIZE}: with ` +
      `${SMALL_RECORDS} records, and with ${RECORDS}, in ordinary organizations and in the largest, which has a ` +
      `tenth of the records. Target of the ratios: ${TARGET}\n`,
  );
  console.log("request".padEnd(NAME_WIDTH) + ["small", "ordinary", "ratio", "largest", "ratio"].map(cell).join(""));
  for (const side of sides) await measureRound(side, await getLoad(side, FIRST_PAGE), WARM_UP_SECONDS);
  for (const measured of CASES) await compareSides(measured, sides);
}

async function startOn(server: PostgresServer): Promise<Database & AsyncDisposable> {
  const connectionString = await server.createDatabase("bench");
  const service = await startService({ DATABASE_URL: connectionString, SECRET_KEY: "0".repeat(64) });
  return { server, service, connectionString, [Symbol.asyncDispose]: () => service.program.stop() };
}

async function fillAndPrintBytes(database: Database, records: number): Promise<void> {
  const startedAt = performance.now();
  await fill(database.connectionString, {
    ...{ records, organizations: records / RECORDS_PER_ORGANIZATION, intervalMs: 1 },
  });
  await database.server.checkpoint();
  console.log(`filled with ${records} records in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const sizes = await readSizes(database);
  const perRecord = sizes.map(({ name, bytes }) => `${name} ${(bytes / records).toFixed(0)}`);
  console.log(`bytes on disk for each record, of which ${RECORD_BYTES} were sent: ${perRecord.join(", ")}`);
}

/** Measures the sides alternately, and keeps the round with the least: other processes only add to it. */
async function compareSides(measured: Case, sides: [Side, Side, Side]): Promise<void> {
  const loads = await Promise.all(sides.map(async (side) => ({ side, load: await getLoad(side, measured) })));
  const rounds: number[][] = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { side, load }] of loads.entries()) rounds[index]?.push(await measureRound(side, load, SECONDS));
  }
  const [small = 0, ordinary = 0, largest = 0] = rounds.map((all) => Math.min(...all));
  const cells = [small, ordinary, ordinary / small, largest, largest / small].map((value, index) =>
    value.toFixed(index === 2 || index === 4 ? 2 : 0),
  );
  console.log(measured.name.padEnd(NAME_WIDTH) + cells.map(cell).join(""));
}

async function getLoad(side: Side, { path, buildRequest }: Case): Promise<Load> {
  const bodies: string[] = [];
  for (const organizationId of side.organizationIds) {
    bodies.push(JSON.stringify({ data: { organizationId, ...(await buildRequest(side, organizationId)) } }));
  }
  return { url: side.database.service.address + path, headers: AUTHENTICATION_HEADERS, bodies };
}

/** Returns the microseconds of processor time of one request. */
async function measureRound({ database }: Side, load: Load, seconds: number): Promise<number> {
  const usedUs = () => processorTimeUs(database.service.program.pid) + processorTimeUs(database.server.postmasterPid);
  const connections = (await isSlow(load)) ? 1 : CONNECTIONS;
  const before = usedUs();
  const { requests } = await measure(load, connections, seconds);
  return (usedUs() - before) / requests;
}

/** Returns whether the request is so slow that the service would reject some of 64 at once. */
async function isSlow({ url, headers, bodies: [body = ""] }: Load): Promise<boolean> {
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return Math.min(...times) > SLOW_MS;
}

/**
 * Returns the request for page 10,000, or for the middle of a feed that is shorter. Reads the pages before it in long
 * ones: a page token continues after a record, whatever the size of the pages.
 */
async function deepPage({ database, records }: Side, organizationId: string): Promise<object> {
  let left = Math.min((DEEP_PAGE - 1) * PAGE_SIZE, Math.floor(records / 2));
  let pageToken: string | undefined;
  while (left > 0) {
    const pageSize = Math.min(left, LONGEST_PAGE);
    const request = { organizationId, pageSize, ...(pageToken === undefined ? {} : { pageToken }) };
    ({ pageToken } = await database.service.callForPage("/v2/activities/get", request));
    left -= pageSize;
  }
  return { pageSize: PAGE_SIZE, pageToken };
}

async function getFirstPageIds({ database }: Side, organizationId: string): Promise<object> {
  const page = await database.service.call("/v2/activities/get", { organizationId, pageSize: PAGE_SIZE });
  return { activityIds: page.map(({ id }) => id), pageSize: PAGE_SIZE };
}

async function readSizes({ connectionString }: Database): Promise<{ name: string; bytes: number }[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<{ name: string; bytes: number }>(BYTES)).rows;
  } finally {
    await client.end();
  }
}

function cell(text: string): string {
  return text.padStart(CELL_WIDTH);
}
