import { resolve } from "node:path";
import { readDatabaseAddress } from "./database-address.ts";
import { isProxy } from "./proxy-address.ts";

/** Error that stops the start; its message tells the operator what to set. */
export class ConfigurationError extends Error {}

/** A fault of the environment and what to do about it, one sentence each. */
export interface ConfigurationFault {
  finding: string;
  remedy: string;
}

interface Variable<T> {
  /** One sentence for the operator, from which the README's table is generated. */
  description: string;
  /** Default as the README shows it. */
  default: string;
  /** Parses the text, undefined if the variable is unset. Throws a ConfigurationError that names the fault. */
  read(text: string | undefined): T;
}

const DEFAULT_SENDER = "Colloquy <colloquy@localhost>";
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

function textOr(fallback: string, description: string): Variable<string> {
  return { description, default: fallback, read: (value) => value ?? fallback };
}

function integer(fallback: number, minimum: number, maximum: number, description: string): Variable<number> {
  return {
    description,
    default: String(fallback),
    read(value) {
      const number = value === undefined ? fallback : Number(value);
      if (!Number.isInteger(number) || number < minimum || number > maximum) {
        throw new ConfigurationError(`must be a whole number from ${minimum} to ${maximum}`);
      }
      return number;
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
  DATA_DIR: textOr(
    "./data",
    "Folder of the embedded database, the generated secret key, the first credentials and the outbox.",
  ),
  DATABASE_URL: {
    description:
      "PostgreSQL 15 or later to use instead of the embedded one. Parameters enable TLS (`?sslmode=verify-full`).",
    default: "",
    read(value: string | undefined): string | undefined {
      const { address, rule } = value === undefined ? {} : readDatabaseAddress(value);
      if (rule !== undefined) throw new ConfigurationError(rule);
      return address;
    },
  },
  DATABASE_POOL_MAX: integer(10, 1, 1000, "Maximum number of connections to PostgreSQL per process."),
  DATABASE_WAIT_SECONDS: integer(60, 0, 3600, "Time that a start waits for a database that is down."),
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
  SECRET_KEY: matching(
    /^[0-9a-f]{64}$/i,
    "must be 64 hexadecimal digits, such as `openssl rand -hex 32` prints",
    "64 hexadecimal digits that encrypt secrets and page tokens. " +
      "Generated in `DATA_DIR`; required with `DATABASE_URL`.",
  ),
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
      const brands = (value ?? "service").split(",").map((brand) => brand.trim().toLowerCase());
      if (!brands.every((brand) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(brand))) {
        throw new ConfigurationError("must be a comma list of names made of letters, digits and hyphens");
      }
      return brands;
    },
  },
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
  MAX_CONCURRENT_REQUESTS: integer(
    1000,
    1,
    100_000,
    "Number of requests in progress above which new requests get `UNAVAILABLE`.",
  ),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    1000,
    10,
    60_000,
    "Mean delay of the event loop above which new requests get `UNAVAILABLE`.",
  ),
  NODE_ENV: {
    description: "`development` and `test` check every answer against its contract.",
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
} satisfies Record<string, Variable<unknown>>;

type Environment = Record<string, string | undefined>;
type Values = { [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]["read"]> };

export interface Config {
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  /** URL of the database; absent for the embedded database of `dataDir`. */
  databaseUrl?: string;
  databasePoolMax: number;
  databaseWaitMs: number;
  /** Public address without a trailing slash. */
  publicUrl: string;
  /** Whether PUBLIC_URL is set; otherwise `publicUrl` is derived from `host` and `port`. */
  isPublicUrlSet: boolean;
  smtpUrl?: string;
  mailFrom: string;
  /** Key of 32 bytes as hexadecimal digits; absent if it is stored in `dataDir`. */
  secretKey?: string;
  bootstrap?: { apiKey: string; authToken: string; ownerEmail?: string };
  authHeaderBrands: string[];
  trustProxy: boolean | string;
  maxConcurrentRequests: number;
  maxEventLoopDelayMs: number;
  /** Whether every answer is checked against its contract. */
  checkAnswers: boolean;
  logLevel: string;
}

/** Reads and checks the environment; empty counts as unset. Throws the first fault as ConfigurationError. */
export function readConfig(environment: Environment = process.env): Config {
  const [fault] = findConfigurationFaults(environment);
  if (fault) throw new ConfigurationError(fault.finding);
  const values = readValues(environment);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    ...(values.DATABASE_URL && { databaseUrl: values.DATABASE_URL }),
    databasePoolMax: values.DATABASE_POOL_MAX,
    databaseWaitMs: values.DATABASE_WAIT_SECONDS * 1000,
    publicUrl: (values.PUBLIC_URL ?? localAddress(values.HOST, values.PORT)).replace(/\/+$/, ""),
    isPublicUrlSet: values.PUBLIC_URL !== undefined,
    ...(values.SMTP_URL && { smtpUrl: values.SMTP_URL }),
    mailFrom: values.MAIL_FROM,
    ...(values.SECRET_KEY && { secretKey: values.SECRET_KEY }),
    ...(values.BOOTSTRAP_API_KEY &&
      values.BOOTSTRAP_AUTH_TOKEN && {
        bootstrap: {
          apiKey: values.BOOTSTRAP_API_KEY,
          authToken: values.BOOTSTRAP_AUTH_TOKEN,
          ...(values.BOOTSTRAP_OWNER_EMAIL && { ownerEmail: values.BOOTSTRAP_OWNER_EMAIL }),
        },
      }),
    authHeaderBrands: values.AUTH_HEADER_BRANDS,
    trustProxy: values.TRUST_PROXY,
    maxConcurrentRequests: values.MAX_CONCURRENT_REQUESTS,
    maxEventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    checkAnswers: values.NODE_ENV === "development" || values.NODE_ENV === "test",
    logLevel: values.LOG_LEVEL,
  };
}

function readValues(environment: Environment): Values {
  const entries = Object.entries(VARIABLES).map(([name, { read }]) => [name, read(environment[name] || undefined)]);
  return asValues(Object.fromEntries(entries));
}

/** Returns all faults, those of single variables first. Quotes no value, since it may be a secret. */
export function findConfigurationFaults(environment: Environment = process.env): ConfigurationFault[] {
  return [...findVariableFaults(environment), ...findCombinationFaults(environment)];
}

function findVariableFaults(environment: Environment): ConfigurationFault[] {
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

function findCombinationFaults(environment: Environment): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  if (environment.DATABASE_URL && !environment.SECRET_KEY) {
    faults.push({
      finding:
        "SECRET_KEY must be set together with DATABASE_URL, to the same 64 hexadecimal digits on every server; " +
        "`openssl rand -hex 32` prints a new one.",
      remedy: "Set SECRET_KEY, or remove DATABASE_URL: the embedded database of DATA_DIR is then used.",
    });
  }
  const { BOOTSTRAP_API_KEY: apiKey, BOOTSTRAP_AUTH_TOKEN: authToken, BOOTSTRAP_OWNER_EMAIL: ownerEmail } = environment;
  if (Boolean(apiKey) !== Boolean(authToken)) {
    const [missing, present] = apiKey ? ["AUTH_TOKEN", "API_KEY"] : ["API_KEY", "AUTH_TOKEN"];
    faults.push({
      finding: "BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN must be set together, or neither.",
      remedy: `Set BOOTSTRAP_${missing}, or remove BOOTSTRAP_${present}: a key and a token are then generated.`,
    });
  } else if (ownerEmail && !apiKey) {
    faults.push({
      finding: "BOOTSTRAP_OWNER_EMAIL needs BOOTSTRAP_API_KEY and BOOTSTRAP_AUTH_TOKEN beside it.",
      remedy: "Set both, or remove BOOTSTRAP_OWNER_EMAIL.",
    });
  }
  return faults;
}

/** Returns typed values; the cast holds because the entries were made from VARIABLES, name by name. */
function asValues(entries: Record<string, unknown>): Values {
  return entries as Values;
}

function localAddress(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
