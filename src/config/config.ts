import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildUrl } from "./build-url.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { Bucket } from "./file-settings.ts";
import { getProcessLimits, type Limits } from "./limits.ts";
import { defaultProcesses } from "./machine.ts";
import { similarName } from "./similar-name.ts";
import { SECRET_VARIABLES, VARIABLES } from "./variables.ts";

/** An error in the environment and what to do about it, one sentence each. */
export interface ConfigurationFinding {
  finding: string;
  remedy: string;
}

type Environment = Record<string, string | undefined>;
type Values = { [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]["read"]> };

/** The collector of traces and metrics. */
export interface TelemetryConfig {
  /** Address without a trailing slash. */
  endpoint: string;
  /** Headers of each export, such as credentials. */
  headers: Record<string, string>;
  serviceName: string;
  /** Share of the traces that begin in this service that are sent, from 0 to 1. */
  sampledShare: number;
}

/** Limits of files; 0 for none. */
export interface FileLimits {
  /** Maximum size of a file. */
  maxBytes: number;
  /** Maximum size of all files that a user has uploaded in an organization. */
  maxBytesOfUser: number;
  maxBytesOfOrganization: number;
  maxBytesOfWorkspace: number;
  /** Media types that files may have, such as `image/*`. */
  types: readonly string[];
}

export interface Config {
  port: number;
  host: string;
  /** Number of processes that serve requests. */
  processes: number;
  /** Absolute path. */
  dataDir: string;
  /** URL of the database; absent for the embedded database of `dataDir`. */
  databaseUrl?: string;
  databasePoolMax: number;
  databaseWaitMs: number;
  /** The bucket of files; absent for those in `dataDir`. */
  files?: { bucket: Bucket; credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } };
  fileLimits: FileLimits;
  /** Public address without a trailing slash. */
  publicUrl: string;
  /** Whether PUBLIC_URL is set; otherwise `publicUrl` is derived from `host` and `port`. */
  isPublicUrlSet: boolean;
  smtpUrl?: string;
  mailFrom: string;
  /** Whether the service connects to private addresses that a tenant has named. */
  allowPrivateAddresses: boolean;
  /** Key of 32 bytes as hexadecimal digits; absent if it is stored in `dataDir`. */
  secretKey?: string;
  /** Earlier keys in the same form, under which stored secrets and issued tokens may be. */
  earlierSecretKeys: string[];
  bootstrap?: { apiKey: string; authToken: string; ownerEmail?: string };
  authHeaderPrefixes: string[];
  auditRetentionDays: number;
  eventRetentionMs: number;
  /** Days for which activities are kept; 0 for ever. */
  activityRetentionDays: number;
  /** Days for which notifications are kept; 0 for ever. */
  notificationRetentionDays: number;
  mailRetentionDays: number;
  requestRetentionDays: number;
  trustProxy: boolean | string;
  /** Requests per second of a workspace; 0 for no limit. */
  requestsPerSecond: number;
  /** Records that a user writes per second, for each kind, and in a burst; 0 for no limit. */
  userWritesPerSecond: number;
  userWriteBurst: number;
  limits: Limits;
  maxConcurrentRequests: number;
  /** Whether every response is checked against its contract. */
  checkResponses: boolean;
  logLevel: string;
  /** The collector; undefined if there is none. */
  telemetry?: TelemetryConfig;
}

/** Ending of the names of variables that name a file with a secret, as orchestrators mount them. */
const FILE_SUFFIX = "_FILE";
const MIN_MISSPELT_LENGTH = 6;
const MIB = 1024 * 1024;

/** Reads and checks the environment; empty counts as unset. Throws the first error as ConfigurationError. */
export function readConfig(environment: Environment = process.env): Config {
  const [first] = findConfigurationErrors(environment);
  if (first) throw new ConfigurationError(first.finding);
  const values = readValues(readSecretFiles(environment).environment);
  const processes = values.PROCESSES ?? defaultProcesses({ isDatabaseEmbedded: !values.DATABASE_URL });
  return {
    port: values.PORT,
    host: values.HOST,
    processes,
    dataDir: resolve(values.DATA_DIR),
    ...(values.DATABASE_URL && { databaseUrl: values.DATABASE_URL }),
    databasePoolMax: values.DATABASE_POOL_MAX,
    databaseWaitMs: values.DATABASE_WAIT_SECONDS * 1000,
    ...(values.FILES_URL && {
      files: {
        bucket: values.FILES_URL,
        credentials: {
          accessKeyId: values.AWS_ACCESS_KEY_ID,
          secretAccessKey: values.AWS_SECRET_ACCESS_KEY,
          ...(values.AWS_SESSION_TOKEN && { sessionToken: values.AWS_SESSION_TOKEN }),
        },
      },
    }),
    fileLimits: {
      maxBytes: values.FILE_MAX_MIB * MIB,
      maxBytesOfUser: values.USER_FILES_MAX_MIB * MIB,
      maxBytesOfOrganization: values.ORGANIZATION_FILES_MAX_MIB * MIB,
      maxBytesOfWorkspace: values.WORKSPACE_FILES_MAX_MIB * MIB,
      types: values.FILE_TYPES,
    },
    publicUrl: (values.PUBLIC_URL ?? buildUrl(values.HOST, values.PORT)).replace(/\/+$/, ""),
    isPublicUrlSet: values.PUBLIC_URL !== undefined,
    ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
    mailFrom: values.MAIL_FROM,
    allowPrivateAddresses: values.ALLOW_PRIVATE_ADDRESSES,
    ...(values.SECRET_KEY && { secretKey: values.SECRET_KEY }),
    earlierSecretKeys: values.SECRET_KEY_OLD,
    ...(values.BOOTSTRAP_API_KEY &&
      values.BOOTSTRAP_AUTH_TOKEN && {
        bootstrap: {
          apiKey: values.BOOTSTRAP_API_KEY,
          authToken: values.BOOTSTRAP_AUTH_TOKEN,
          ...(values.BOOTSTRAP_OWNER_EMAIL && { ownerEmail: values.BOOTSTRAP_OWNER_EMAIL }),
        },
      }),
    authHeaderPrefixes: values.AUTH_HEADER_BRANDS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    activityRetentionDays: values.ACTIVITY_RETENTION_DAYS,
    notificationRetentionDays: values.NOTIFICATION_RETENTION_DAYS,
    mailRetentionDays: values.MAIL_RETENTION_DAYS,
    requestRetentionDays: values.REQUEST_RETENTION_DAYS,
    eventRetentionMs: values.EVENT_RETENTION_HOURS * 60 * 60 * 1000,
    trustProxy: values.TRUST_PROXY,
    requestsPerSecond: values.REQUESTS_PER_SECOND,
    userWritesPerSecond: values.USER_WRITES_PER_SECOND,
    userWriteBurst: values.USER_WRITE_BURST,
    limits: getProcessLimits(processes),
    maxConcurrentRequests: values.MAX_CONCURRENT_REQUESTS,
    checkResponses: values.NODE_ENV === "development" || values.NODE_ENV === "test",
    logLevel: values.LOG_LEVEL,
    ...(values.OTEL_EXPORTER_OTLP_ENDPOINT && {
      telemetry: {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ""),
        headers: values.OTEL_EXPORTER_OTLP_HEADERS,
        serviceName: values.OTEL_SERVICE_NAME,
        sampledShare: values.OTEL_TRACES_SAMPLER_ARG,
      },
    }),
  };
}

function readValues(environment: Environment): Values {
  const entries = Object.entries(VARIABLES).map(([name, { read }]) => [name, read(environment[name] || undefined)]);
  return asValues(Object.fromEntries(entries));
}

/** Returns the variables that are set and are none of Colloquy's, but have a name like one. */
export function findMisspeltVariables(environment: Environment = process.env): ConfigurationFinding[] {
  const known = [...Object.keys(VARIABLES), ...SECRET_VARIABLES.map((name) => name + FILE_SUFFIX)];
  return Object.keys(environment).flatMap((name) => {
    // Shorter names, such as HOST, are like those of other programs.
    const meant = name.length >= MIN_MISSPELT_LENGTH && !known.includes(name) ? similarName(name, known) : undefined;
    if (meant === undefined) return [];
    return [{ finding: `${name} is not a variable of Colloquy.`, remedy: `Name it ${meant}, or remove it.` }];
  });
}

/** Returns all errors, those of single variables first. Quotes no value, since it may be a secret. */
export function findConfigurationErrors(given: Environment = process.env): ConfigurationFinding[] {
  const { environment, errors } = readSecretFiles(given);
  return [...errors, ...findVariableErrors(environment), ...findCombinationErrors(environment)];
}

/** Returns the environment with the secrets of the files that it names, and what is wrong with these files. */
function readSecretFiles(given: Environment): { environment: Environment; errors: ConfigurationFinding[] } {
  const environment = { ...given };
  const errors: ConfigurationFinding[] = [];
  for (const name of SECRET_VARIABLES) {
    const fileVariable = name + FILE_SUFFIX;
    const path = given[fileVariable];
    if (!path) continue;
    if (given[name]) {
      const finding = `${name} and ${fileVariable} must not both be set.`;
      errors.push({ finding, remedy: "Remove one of them." });
      continue;
    }
    try {
      environment[name] = readFileSync(path, "utf8").trim();
    } catch {
      const finding = `${name} cannot be read from the file that ${fileVariable} names.`;
      errors.push({ finding, remedy: `Correct ${fileVariable}, or let this user read the file.` });
    }
  }
  return { environment, errors };
}

function findVariableErrors(environment: Environment): ConfigurationFinding[] {
  return Object.entries(VARIABLES).flatMap(([name, variable]) => {
    try {
      variable.read(environment[name] || undefined);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const otherwise = variable.default && `: the default is ${variable.default}`;
      return [{ finding: `${name} ${error.message}.`, remedy: `Correct ${name}, or remove it${otherwise}.` }];
    }
  });
}

function findCombinationErrors(environment: Environment): ConfigurationFinding[] {
  const errors: ConfigurationFinding[] = [];
  if (environment.DATABASE_URL && !environment.SECRET_KEY) {
    errors.push({
      finding:
        "SECRET_KEY must be set together with DATABASE_URL, to the same 64 hexadecimal digits for every service; " +
        "`openssl rand -hex 32` prints a new one.",
      remedy: "Set SECRET_KEY, or remove DATABASE_URL: the embedded database of DATA_DIR is then used.",
    });
  }
  if (environment.FILES_URL && !(environment.AWS_ACCESS_KEY_ID && environment.AWS_SECRET_ACCESS_KEY)) {
    errors.push({
      finding: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together with FILES_URL.",
      remedy: "Set both, or remove FILES_URL: files are then in DATA_DIR.",
    });
  }
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, BOOTSTRAP_OWNER_EMAIL: ownerEmail } = environment;
  if (Boolean(apiKey) !== Boolean(authToken)) {
    const [missing, present] = apiKey ? ["AUTH_TOKEN", "API_KEY"] : ["API_KEY", "AUTH_TOKEN"];
    errors.push({
      finding: "BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN must be set together, or neither.",
      remedy: `Set BOOTSTRAP_${missing}, or remove BOOTSTRAP_${present}: a key and a token are then generated.`,
    });
  } else if (ownerEmail && !apiKey) {
    errors.push({
      finding: "BOOTSTRAP_OWNER_EMAIL needs BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN beside it.",
      remedy: "Set both, or remove BOOTSTRAP_OWNER_EMAIL.",
    });
  }
  return errors;
}

/** Returns typed values; the cast holds because the entries were made from VARIABLES, name by name. */
function asValues(entries: Record<string, unknown>): Values {
  return entries as Values;
}
