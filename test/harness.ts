import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pino from "pino";
import { expect, inject } from "vitest";
import { type Config, readConfig } from "../src/config/config.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { createWorkspace } from "../src/features/workspaces/workspaces.ts";
import type { Api } from "../src/operations.ts";
import { type Service, startService } from "../src/service/service.ts";
import { registerCleanup } from "./cleanup.ts";
import { createDatabase, databaseUrl, dropDatabase } from "./servers.ts";

export const silentLog = pino({ level: "silent" });

const REQUEST_ID = /^[\w.-]{1,64}$/;
/** HTTP agent of all calls. A call takes 0.12 ms of processor time, and 0.26 ms with `fetch`: 5 % of a whole run. */
const agent = new Agent({ keepAlive: true, timeout: 30_000 });

interface TestDatabase {
  database: Database;
  connectionString: string;
}

/** Creates a database for the current test or file: migrated, or without tables if `isBare`. */
export async function createTestDatabase({ isBare = false, connections = 2 } = {}): Promise<TestDatabase> {
  const { name, ...made } = await makeDatabase(isBare, connections);
  registerCleanup(async () => {
    await made.database.close();
    await dropDatabase(inject("serverUrls"), name);
  });
  return made;
}

/** Creates a database that exists until the end of the run, unless it is dropped earlier. */
async function makeDatabase(isBare = false, poolMax = 2): Promise<TestDatabase & { name: string }> {
  const serverUrls = inject("serverUrls");
  const name = `${inject("databasePrefix")}${randomBytes(8).toString("hex")}`;
  await createDatabase(serverUrls, name, inject(isBare ? "bareTemplateDatabase" : "templateDatabase"));
  const connectionString = databaseUrl(serverUrls[0] ?? "", name);
  const isDistributed = serverUrls.length > 1;
  // Tests read all rows and hold locks while they wait for something, which takes long on a busy machine.
  const limits = { poolMax, statementTimeoutMs: 120_000, idleInTransactionTimeoutMs: 0 };
  const database = openDatabase({ connection: { connectionString }, ...limits, log: silentLog, isDistributed });
  return { name, database, connectionString };
}

interface ApiResponse {
  httpStatus: number;
  headers: Headers;
  body: unknown;
}

interface ErrorBody {
  status: string;
  message: string;
  details?: { issues?: { path: string; message: string }[] };
}

/** The `result` of a successful call. */
export interface Result<Path extends string> {
  data: Path extends keyof Api ? Api[Path]["response"] : unknown;
  pageToken?: string;
  nextPageToken?: string;
}

/** A workspace and its credentials, with methods that call the API. */
export class TestWorkspace {
  readonly id: string;
  readonly apiKey: string;
  readonly authToken: string;
  readonly #address: string;

  constructor(address: string, created: { workspaceId: string; apiKey: string; authToken: string }) {
    this.#address = address;
    this.id = created.workspaceId;
    this.apiKey = created.apiKey;
    this.authToken = created.authToken;
  }

  get headers(): Record<string, string> {
    return { "x-service-api-key": this.apiKey, "x-service-auth-token": this.authToken };
  }

  /** Returns the same workspace with calls to another address. */
  at(address: string): TestWorkspace {
    return new TestWorkspace(address, { workspaceId: this.id, apiKey: this.apiKey, authToken: this.authToken });
  }

  /** Sends `data` in an envelope, or a string or bytes as the whole body. */
  call(path: string, data: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return post(`${this.#address}${path}`, data, { ...this.headers, ...headers });
  }

  /** Returns the `result` of a call that must succeed. */
  result<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Result<Path>> {
    return this.uncheckedResult(path, data);
  }

  /** Returns the `result` of a call that must succeed, for paths and requests whose types are not known. */
  async uncheckedResult<Path extends string>(path: Path, data: unknown): Promise<Result<Path>> {
    const { httpStatus, body } = await this.call(path, data);
    expect(body, `${path} must succeed`).toMatchObject({ result: { status: "success" } });
    expect(httpStatus).toBe(200);
    return getResult(body);
  }

  /** Returns the `result.data` of a call that must succeed. */
  async data<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Api[Path]["response"]> {
    return (await this.result(path, data)).data;
  }

  /** Returns the HTTP code and the `error` of a call that must fail. */
  async error(path: string, data: unknown): Promise<ErrorBody & { httpStatus: number }> {
    const { httpStatus, body } = await this.call(path, data);
    expect(body, `${path} must fail`).toMatchObject({ error: { status: expect.any(String) } });
    return { httpStatus, ...getError(body) };
  }
}

export function post(url: string, data: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const body = typeof data === "string" || data instanceof Uint8Array ? data : JSON.stringify({ data });
  return send(url, "POST", { "content-type": "application/json", ...headers }, body);
}

/** Sends a request. Throws unless the response is JSON and has a request ID, as every response must. */
export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string | Uint8Array,
): Promise<ApiResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, method, headers }, resolve).on("error", reject).end(body);
  });
  const received = await text(response);
  const { statusCode = 0, headers: responseHeaders } = response;
  if (
    responseHeaders["content-type"] !== "application/json; charset=utf-8" ||
    !REQUEST_ID.test(`${responseHeaders["x-request-id"]}`)
  )
    throw new Error(`The response is not from the service: ${JSON.stringify(responseHeaders)} ${received}`);
  return { httpStatus: statusCode, headers: new Headers(Object(responseHeaders)), body: JSON.parse(received) };
}

/** Casts the body. The services of tests check every response against its contract. */
function getResult<Path extends string>(body: unknown): Result<Path> {
  return (body as { result: Result<Path> }).result;
}

/** Casts the body. The caller has checked that it is an error, whose shape the catalogue fixes. */
function getError(body: unknown): ErrorBody {
  return (body as { error: ErrorBody }).error;
}

/** Makes the documents of a workspace public, for tests that do not care who may read them. */
export async function makePublic(workspace: TestWorkspace): Promise<TestWorkspace> {
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "public" });
  return workspace;
}

export interface TestService {
  address: string;
  database: Database;
  config: Config;
  /** Creates a workspace, by default with the activity service on. */
  workspace(options?: { activityServiceEnabled?: boolean }): Promise<TestWorkspace>;
  /** Creates a workspace with public documents, for tests that do not care who may read them. */
  publicWorkspace(): Promise<TestWorkspace>;
  /** Starts a second service on the same database, as another process would run it. */
  secondProcess(): Promise<Pick<Service, "address">>;
}

export interface OwnTestService extends TestService {
  secondProcess(): Promise<Service>;
}

type Change = (config: Config) => Partial<Config> | Promise<Partial<Config>>;

let shared: Promise<TestService> | undefined;

/**
 * Returns the service that all test files of a worker share. Tests may read and change only their own workspaces. A
 * test that depends on data or settings that all workspaces share uses `startOwnTestService`.
 */
export function startTestService(): Promise<TestService> {
  shared ??= startShared();
  return shared;
}

/** Starts a service that ends with the worker's process. Its database is dropped at the end of the run. */
async function startShared(): Promise<TestService> {
  const service = await serve(
    await makeDatabase(),
    () => ({}),
    (config) => startService(config, silentLog),
  );
  let second: Promise<Service> | undefined;
  return {
    ...service,
    secondProcess() {
      second ??= service.secondProcess();
      return second;
    },
  };
}

/**
 * Starts a service with its own database for the current test or file. `change` receives the default configuration
 * and returns the settings that differ.
 */
export async function startOwnTestService(change: Change = () => ({}), log = silentLog): Promise<OwnTestService> {
  return serve(await createTestDatabase(), change, async (config) => {
    const service = await startService(config, log);
    registerCleanup(() => service.stop());
    return service;
  });
}

async function serve(
  { database, connectionString }: TestDatabase,
  change: Change,
  start: (config: Config) => Promise<Service>,
): Promise<OwnTestService> {
  const environment = {
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: await mkdtemp(join(inject("runDirectory"), "data-")),
    DATABASE_URL: connectionString,
    DATABASE_POOL_MAX: "3",
    SECRET_KEY: "5".repeat(64),
    LOG_LEVEL: "silent",
    BOOTSTRAP_API_KEY: "bootstrap-key",
    BOOTSTRAP_AUTH_TOKEN: "bootstrap-token-0123456789",
  };
  const read = readConfig(environment);
  // The service must not shed load because the machine of the tests is busy.
  const given = {
    ...read,
    userWritesPerSecond: 0,
    limits: {
      ...read.limits,
      admission: { maxWaiting: 10_000, maxWaitMs: 60_000 },
      databaseTurnMs: 60_000,
      userRates: { delayMs: 1 },
      eventLogStartMs: 0,
      // Events that come later would change rows while tests compare them.
      crdtReportMs: 60 * 60 * 1000,
      crdtVersionPollMs: 60 * 60 * 1000,
    },
  };
  const config = { ...given, ...(await change(given)) };
  const { address } = await start(config);
  async function workspace({ activityServiceEnabled = true } = {}): Promise<TestWorkspace> {
    const name = `test ${randomBytes(4).toString("hex")}`;
    return new TestWorkspace(address, await createWorkspace(database, { name, activityServiceEnabled }));
  }
  async function publicWorkspace(): Promise<TestWorkspace> {
    return makePublic(await workspace());
  }
  return { address, database, config, secondProcess: () => start(config), workspace, publicWorkspace };
}
