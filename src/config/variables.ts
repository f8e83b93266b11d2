import { ConfigurationError } from "./configuration-error.ts";
import { readDatabaseAddress } from "./database-address.ts";
import { type Bucket, readFilesUrl, readFileTypes } from "./file-settings.ts";
import { isProxy } from "./proxy-address.ts";

interface Variable<T> {
  /** One sentence for the operator, from which the README's table is generated. */
  description: string;
  /** Default as the README shows it. */
  default: string;
  /** Parses the text, undefined if the variable is unset. Throws a ConfigurationError that says what is wrong. */
  read(text: string | undefined): T;
}

const DEFAULT_SENDER = "Colloquy <colloquy@localhost>";
const SECRET_KEY = /^[0-9a-f]{64}$/i;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

function textOr(fallback: string, description: string): Variable<string> {
  return { description, default: fallback, read: (value) => value ?? fallback };
}

/** Returns a whole number. A fallback that depends on the machine is a function, which the description explains. */
function integer<Fallback extends number | undefined>(
  fallback: Fallback,
  minimum: number,
  maximum: number,
  description: string,
): Variable<number | Fallback> {
  return {
    description,
    default: fallback === undefined ? "" : String(fallback),
    read(value) {
      if (value === undefined) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!Number.isSafeInteger(number) || number < minimum || number > maximum) {
        throw new ConfigurationError(`must be a whole number from ${minimum} to ${maximum}`);
      }
      return number;
    },
  };
}

function flag(description: string): Variable<boolean> {
  return {
    description,
    default: "false",
    read(value) {
      if (value !== undefined && value !== "true" && value !== "false") {
        throw new ConfigurationError("must be `true` or `false`");
      }
      return value === "true";
    },
  };
}

function url(protocols: string[], description: string): Variable<string | undefined> {
  return {
    description,
    default: "",
    read(value) {
      if (value === undefined) return undefined;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        throw new ConfigurationError(`must be an address that starts with ${protocols.join("// or ")}//`);
      }
      return value;
    },
  };
}

function matching(pattern: RegExp, rule: string, description: string): Variable<string | undefined> {
  return {
    description,
    default: "",
    read(value) {
      if (value !== undefined && !pattern.test(value)) throw new ConfigurationError(rule);
      return value;
    },
  };
}

/** Every variable that Colloquy reads, in the order of the README. */
export const VARIABLES = {
  PORT: integer(8080, 0, 65535, "TCP port of the service."),
  HOST: textOr("127.0.0.1", "Address to listen on. `0.0.0.0` listens on every network of the machine."),
  PROCESSES: integer(
    undefined,
    1,
    256,
    "Number of processes that serve requests; default: one for each core, or for every two cores beside the embedded " +
      "database, at most 8, and 1 below 2 GiB of memory.",
  ),
  DATA_DIR: textOr(
    "./data",
    "Folder of the embedded database, the generated secret key, the first credentials and the outbox.",
  ),
  DATABASE_URL: {
    description:
      "PostgreSQL 15 or later to use instead of the embedded one. Parameters enable TLS (`?sslmode=verify-full`). " +
      "Of several hosts (`host1,host2`), the primary is used. For a Citus cluster, it names the coordinator.",
    default: "",
    read(value: string | undefined): string | undefined {
      const { address, rule } = value === undefined ? {} : readDatabaseAddress(value);
      if (rule !== undefined) throw new ConfigurationError(rule);
      return address;
    },
  },
  DATABASE_POOL_MAX: integer(10, 1, 1000, "Maximum number of connections to PostgreSQL per process."),
  DATABASE_WAIT_SECONDS: integer(60, 0, 3600, "Time that a start waits for a database that is down."),
  FILES_URL: {
    description:
      "Bucket of an S3-compatible store for files, such as " +
      "`s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-west-1`; default: `DATA_DIR/files`.",
    default: "",
    read: (value: string | undefined): Bucket | undefined => (value === undefined ? undefined : readFilesUrl(value)),
  },
  AWS_ACCESS_KEY_ID: textOr("", "Access key of that bucket."),
  AWS_SECRET_ACCESS_KEY: textOr("", "Secret access key of that bucket."),
  AWS_SESSION_TOKEN: textOr("", "Session token of that bucket, if its access key is a temporary one."),
  FILE_MAX_MIB: integer(100, 1, 5_000, "Maximum size of a file that callers upload, in MiB."),
  USER_FILES_MAX_MIB: integer(2_000, 0, 1e8, "The same for all files of a user in an organization; 0: no limit."),
  ORGANIZATION_FILES_MAX_MIB: integer(0, 0, 1e8, "The same for all files of an organization; 0: no limit."),
  WORKSPACE_FILES_MAX_MIB: integer(0, 0, 1e8, "The same for all files of a workspace; 0: no limit."),
  FILE_TYPES: {
    description: "Comma-separated media types that files may have, such as `image/*,application/pdf`.",
    default: "*/*",
    read: (value = "*/*"): string[] => readFileTypes(value),
  },
  PUBLIC_URL: url(
    ["http:", "https:"],
    "Address at which callers reach the service, used in links and documentation; default: `HOST` and `PORT`.",
  ),
  SMTP_URL: url(
    ["smtp:", "smtps:"],
    "Mail server for workspaces without a provider. If unset, their mails are kept in `DATA_DIR/outbox`.",
  ),
  MAIL_FROM: {
    description: "Sender of the mails of workspaces without a provider.",
    default: DEFAULT_SENDER,
    read(value = DEFAULT_SENDER): string {
      if (!/^([^<>\p{Cc}]*<[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+>|[^<>@\s\p{Cc}]+@[^<>@\s\p{Cc}]+)$/u.test(value)) {
        throw new ConfigurationError("must be an email address, alone or in angle brackets behind a name");
      }
      return value;
    },
  },
  ALLOW_PRIVATE_ADDRESSES: flag(
    "`true` lets workspaces name mail servers, webhooks and token issuers on private, loopback and link-local " +
      "addresses, and webhooks and token issuers without TLS.",
  ),
  SECRET_KEY: matching(
    SECRET_KEY,
    "must be 64 hexadecimal digits, such as `openssl rand -hex 32` prints",
    "Key of 64 hexadecimal digits that encrypts secrets and authenticates page tokens and links. " +
      "Generated in `DATA_DIR`; required with `DATABASE_URL`.",
  ),
  SECRET_KEY_OLD: {
    description: "Comma-separated earlier values of `SECRET_KEY`, which still decrypt and verify.",
    default: "",
    read(value: string | undefined): string[] {
      const keys = value === undefined ? [] : value.split(",").map((key) => key.trim());
      if (!keys.every((key) => SECRET_KEY.test(key))) {
        throw new ConfigurationError("must be a comma list of keys of 64 hexadecimal digits");
      }
      return keys;
    },
  },
  BOOTSTRAP_API_KEY: matching(
    /^[\x21-\x7e]{8,256}$/,
    "must be 8 to 256 printable characters without spaces",
    "API key of the first workspace, which each start creates if it is missing.",
  ),
  BOOTSTRAP_AUTH_TOKEN: matching(
    /^[\x21-\x7e]{16,256}$/,
    "must be 16 to 256 printable characters without spaces",
    "Auth token of that workspace.",
  ),
  BOOTSTRAP_OWNER_EMAIL: matching(
    /^[^\s@]+@([^\s@.]+(\.[^\s@.]+)+|localhost)$/i,
    "must be an email address at a full domain or at localhost",
    "Email address of that workspace's owner, who can sign in to the console.",
  ),
  AUTH_HEADER_BRANDS: {
    description: "Comma-separated names accepted in `x-<name>-api-key` and `x-<name>-auth-token`.",
    default: "service",
    read(value: string | undefined): string[] {
      const headerPrefixes = (value ?? "service").split(",").map((headerPrefix) => headerPrefix.trim().toLowerCase());
      if (!headerPrefixes.every((headerPrefix) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(headerPrefix))) {
        throw new ConfigurationError("must be a comma list of names made of letters, digits and hyphens");
      }
      return headerPrefixes;
    },
  },
  AUDIT_RETENTION_DAYS: integer(365, 1, 36_500, "Days for which the audit log and the IDs of deleted users are kept."),
  ACTIVITY_RETENTION_DAYS: integer(0, 0, 36_500, "Days for which activities are kept; 0: until they are deleted."),
  NOTIFICATION_RETENTION_DAYS: integer(
    0,
    0,
    36_500,
    "Days for which notifications are kept, read or not; 0: until they are deleted.",
  ),
  MAIL_RETENTION_DAYS: integer(30, 1, 36_500, "Days for which the log of mails is kept."),
  REQUEST_RETENTION_DAYS: integer(30, 1, 36_500, "Days for which the request log is kept, with IP addresses."),
  EVENT_RETENTION_HOURS: integer(72, 1, 720, "Number of hours for which the event log is kept."),
  TRUST_PROXY: {
    description: "Comma-separated addresses of proxies whose `X-Forwarded-*` headers are trusted, or `true` for any.",
    default: "false",
    read(value: string | undefined): boolean | string {
      if (value === undefined || value === "false") return false;
      if (value === "true") return true;
      if (!value.split(",").every((proxy) => isProxy(proxy.trim()))) {
        throw new ConfigurationError("must be `true` or a comma list of IP addresses and networks such as 10.0.0.0/8");
      }
      return value;
    },
  },
  REQUESTS_PER_SECOND: integer(
    0,
    0,
    1_000_000,
    "Requests per second of each workspace, per service, above which requests get `RESOURCE_EXHAUSTED`; 0: no limit.",
  ),
  USER_WRITES_PER_SECOND: integer(
    10,
    0,
    1_000_000,
    "Records per second that each user may write with user tokens, for each kind, per service; 0: no limit.",
  ),
  USER_WRITE_BURST: integer(100, 1, 1_000_000, "Records of a kind that a user may write at once."),
  MAX_CONCURRENT_REQUESTS: integer(
    128,
    1,
    100_000,
    "Requests in progress above which others wait. While they do, a workspace gets at most half, a caller a tenth.",
  ),
  NODE_ENV: {
    description: "`development` and `test` check every response against its contract.",
    default: "production",
    read: (value: string | undefined): string => value ?? "production",
  },
  LOG_LEVEL: {
    description: `Least severe level to log: ${LOG_LEVELS.join(", ")}.`,
    default: "info",
    read(value: string | undefined): string {
      const level = value ?? "info";
      if (!LOG_LEVELS.includes(level)) throw new ConfigurationError(`must be one of ${LOG_LEVELS.join(", ")}`);
      return level;
    },
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ["http:", "https:"],
    "Collector of traces and metrics, to which they are sent by OTLP over HTTP, such as `http://localhost:4318`.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: {
    description: "Comma-separated headers for the collector, such as `authorization=Bearer%20YOUR_TOKEN`.",
    default: "",
    read(value: string | undefined): Record<string, string> {
      const pairs = value === undefined ? [] : value.split(",").map((pair) => /^\s*([\w-]+)=(.*?)\s*$/.exec(pair));
      const headers = pairs.map((pair) => [pair?.[1]?.toLowerCase() ?? "", decoded(pair?.[2])]);
      if (!headers.every(([name, text]) => name && text !== undefined && /^[\x20-\x7e]+$/.test(text))) {
        throw new ConfigurationError("must be a comma list of name=value, with percent-encoded values");
      }
      return Object.fromEntries(headers);
    },
  },
  OTEL_SERVICE_NAME: textOr("colloquy", "Name of the service in traces and metrics."),
  OTEL_TRACES_SAMPLER_ARG: {
    description:
      "Share of the requests that are traced, from 0 to 1. Callers that send a `traceparent` decide themselves.",
    default: "1",
    read(value = "1"): number {
      const share = Number(value);
      if (!(share >= 0 && share <= 1)) throw new ConfigurationError("must be a number from 0 to 1");
      return share;
    },
  },
} satisfies Record<string, Variable<unknown>>;

/** Variables whose values may be in files, which other variables name. */
export const SECRET_VARIABLES: readonly string[] = [
  "DATABASE_URL",
  "SMTP_URL",
  "SECRET_KEY",
  "SECRET_KEY_OLD",
  "BOOTSTRAP_API_KEY",
  "BOOTSTRAP_AUTH_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "AWS_SECRET_ACCESS_KEY",
] satisfies (keyof typeof VARIABLES)[];

/** Returns the percent-decoded text, or undefined if it is malformed. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
