import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Config, findConfigurationFaults, readConfig, VARIABLES } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { connectDatabase } from "../database/connect.ts";
import { type DatabaseFacts, inspectDatabase } from "../database/inspect.ts";
import { readGreeting } from "./mail-greeting.ts";

export interface Check {
  name: string;
  status: "ok" | "warning" | "fault" | "skipped";
  /** What was found. */
  finding: string;
  /** What to do about it. */
  remedy?: string;
}

const LEAST_FREE_BYTES = 1_000_000_000;
const MOST_CLOCK_DIFFERENCE_MS = 1_000;

/** Every check, in an order in which an earlier one may explain a later one. Starts no first database. */
export async function examine(): Promise<Check[]> {
  const faults = findConfigurationFaults();
  if (faults.length > 0) {
    const finding = "Not checked: run doctor again when the configuration is right.";
    return [
      ...faults.map((fault): Check => ({ name: "configuration", status: "fault", ...fault })),
      { name: "the rest", status: "skipped", finding },
    ];
  }
  const config = readConfig();
  return [
    { name: "configuration", status: "ok", finding: "Every variable has a value that works." },
    ...(await checkDataDirectory(config)),
    ...(await checkDatabase(config)),
    await checkMail(config),
  ];
}

async function checkDataDirectory({ dataDir }: Config): Promise<Check[]> {
  const existing = await nearestExisting(dataDir);
  const isWritable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable || !(await stat(existing)).isDirectory()) {
    const finding = `${existing} is not a directory that this user may write to.`;
    return [{ name: "data directory", status: "fault", finding, remedy: "Change its owner, or set another DATA_DIR." }];
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const finding = `${(free / 1e9).toFixed(1)} GB are free at ${existing}.`;
  return [
    { name: "data directory", status: "ok", finding: `${dataDir} ${existing === dataDir ? "is" : "will be"} used.` },
    free >= LEAST_FREE_BYTES
      ? { name: "disk", status: "ok", finding }
      : { name: "disk", status: "warning", finding, remedy: "Free some space: a full disk stops every write." },
  ];
}

async function nearestExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function checkDatabase(config: Config): Promise<Check[]> {
  const isEmbedded = config.databaseUrl === undefined;
  // The folder that the embedded database keeps its cluster in; asking for a database would make it.
  if (isEmbedded && (await nearestExisting(join(config.dataDir, "postgres"))) !== join(config.dataDir, "postgres")) {
    const finding = `Nothing has been started yet in ${config.dataDir}; \`colloquy start\` makes the database there.`;
    return [{ name: "database", status: "skipped", finding }];
  }
  try {
    const log = createLogger("silent", process.stderr);
    const { database, close } = await connectDatabase({ ...config, databaseWaitMs: 0 }, log, "command");
    const facts = await inspectDatabase(database).finally(close);
    return [describeVersion(facts, isEmbedded), describeDurability(facts), describeSchema(facts), describeClock(facts)];
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    const remedy = isEmbedded
      ? `Read ${join(config.dataDir, "postgres.log")}; PostgreSQL says there what it lacks.`
      : "Check DATABASE_URL (address, user, password, sslmode) and that the server runs and lets this machine in.";
    return [{ name: "database", status: "fault", finding, remedy }];
  }
}

function describeVersion({ version, encoding }: DatabaseFacts, isEmbedded: boolean): Check {
  const server = isEmbedded ? "The embedded" : "DATABASE_URL's";
  const finding = `${server} PostgreSQL ${version} answers; encoding ${encoding}.`;
  if (encoding === "UTF8") return { name: "database", status: "ok", finding };
  const remedy = "Make one with `create database … encoding 'UTF8' template template0` and name it in DATABASE_URL.";
  return { name: "database", status: "fault", finding, remedy };
}

function describeDurability({ fsync, fullPageWrites, synchronousCommit }: DatabaseFacts): Check {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit };
  const off = Object.entries(settings).flatMap(([name, value]) => (value === "off" ? [name] : []));
  if (off.length === 0) {
    const finding = "What was answered survives a crash (fsync, full_page_writes, synchronous_commit).";
    return { name: "durability", status: "ok", finding };
  }
  return {
    name: "durability",
    status: "fault",
    finding: `${off.join(" and ")} off: a crash loses what was answered.`,
    remedy: `Turn on ${off.join(", ")} for the server, and look for a role or database that turns it off.`,
  };
}

function describeSchema({ missingMigrations }: DatabaseFacts): Check {
  if (missingMigrations === undefined) {
    const finding = "The database has no tables yet; the first `colloquy start` makes them.";
    return { name: "migrations", status: "skipped", finding };
  }
  if (missingMigrations.length === 0) return { name: "migrations", status: "ok", finding: "The schema is current." };
  const finding = `Missing: ${missingMigrations.join(", ")}.`;
  return { name: "migrations", status: "fault", finding, remedy: "Run `colloquy migrate`; a start does it too." };
}

function describeClock({ clockAheadMs }: DatabaseFacts): Check {
  const finding = `The database's clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? "behind" : "ahead"}.`;
  if (Math.abs(clockAheadMs) <= MOST_CLOCK_DIFFERENCE_MS) return { name: "clock", status: "ok", finding };
  return { name: "clock", status: "warning", finding, remedy: "Keep both machines' clocks in time, with NTP." };
}

async function checkMail({ smtpUrl, dataDir, mailFrom }: Config): Promise<Check> {
  if (smtpUrl === undefined) {
    const outbox = join(dataDir, "outbox");
    const finding = `SMTP_URL is not set: mails of workspaces without a provider are kept in ${outbox}.`;
    return { name: "mail", status: "ok", finding };
  }
  const { host } = new URL(smtpUrl);
  try {
    const finding = `${host} says: ${await readGreeting(smtpUrl)}`;
    if (mailFrom !== VARIABLES.MAIL_FROM.default) return { name: "mail", status: "ok", finding };
    const remedy = "Set MAIL_FROM: most servers refuse the default sender, which is no address anywhere.";
    return { name: "mail", status: "warning", finding, remedy };
  } catch (error) {
    const finding = `${host} gives no greeting: ${error instanceof Error ? error.message : String(error)}.`;
    const remedy = "Check SMTP_URL (smtps:// for a port that begins with TLS, such as 465) and the way to that server.";
    return { name: "mail", status: "fault", finding, remedy };
  }
}
