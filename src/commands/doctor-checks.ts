import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Config, findConfigurationErrors, findMisspeltVariables, readConfig } from "../config/config.ts";
import { createLogger } from "../config/log.ts";
import { hasSecretKey } from "../config/secret-key.ts";
import { VARIABLES } from "../config/variables.ts";
import { connectDatabase } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { isDatabaseUnavailable } from "../database/database-errors.ts";
import { hasCluster } from "../database/embedded-files.ts";
import { type DatabaseFacts, inspectDatabase } from "../database/inspect.ts";
import { missingPrivilege, wrongEncoding, wrongSchema } from "../database/requirements.ts";
import { selectKeyUse } from "../database/secret-key-fingerprint.ts";
import { type NewestTime, selectTimeAhead } from "../features/purge/newest-time-queries.ts";
import { acrossOrganizations } from "../features/tenancy/organization-scope.ts";
import { describeError } from "../service/describe-error.ts";
import { openFileStore } from "../service/files.ts";
import { readKeys } from "../service/keys.ts";
import { OTHER_SECRET_KEY } from "../service/secret-key-check.ts";
import { countSecrets } from "../service/stored-secrets.ts";
import type { Check } from "./check.ts";
import { checkHosts } from "./check-hosts.ts";
import { checkSequences } from "./check-sequences.ts";
import { checkStoredFiles } from "./check-stored-files.ts";
import { clockBehind } from "./clock-behind.ts";
import { findLostFiles } from "./lost-files.ts";
import { readGreeting } from "./mail-greeting.ts";
import { unreadableSecrets } from "./unreadable-secrets.ts";

const MIN_FREE_BYTES = 1_000_000_000;
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

const UNCHECKED_DATABASE: Check = {
  ...{ name: "database", status: "skipped" },
  finding: "Not checked. Correct the data directory, then run doctor again.",
};

/** Runs every check. An earlier error may explain a later one. Never creates an embedded database. */
export async function runChecks(): Promise<Check[]> {
  const errors = findConfigurationErrors();
  if (errors.length > 0) {
    const finding = "Not checked. Correct the configuration, then run doctor again.";
    return [
      ...errors.map((error): Check => ({ name: "configuration", status: "error", ...error })),
      { name: "the rest", status: "skipped", finding },
    ];
  }
  const config = readConfig();
  const directory = await checkDataDirectory(config);
  const isDirectoryUsable = directory.every(({ status }) => status !== "error");
  return [
    { name: "configuration", status: "ok", finding: "Every variable has a valid value." },
    ...findMisspeltVariables().map((misspelt): Check => ({ name: "configuration", status: "warning", ...misspelt })),
    ...directory,
    ...(isDirectoryUsable || config.databaseUrl !== undefined ? await checkDatabase(config) : [UNCHECKED_DATABASE]),
    ...(isDirectoryUsable || config.files ? [await checkFiles(config)] : []),
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
    const finding = `${existing} is not a directory that this user can write to.`;
    return [{ name: "data directory", status: "error", finding, remedy: "Change its owner or set another DATA_DIR." }];
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const finding = `${(free / 1e9).toFixed(1)} GB are free on the disk of ${existing}.`;
  return [
    { name: "data directory", status: "ok", finding: `${dataDir} ${existing === dataDir ? "is" : "will be"} used.` },
    free >= MIN_FREE_BYTES
      ? { name: "disk", status: "ok", finding }
      : { name: "disk", status: "warning", finding, remedy: "Free some space. A full disk makes every write fail." },
  ];
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}

async function checkDatabase(config: Config): Promise<Check[]> {
  const isEmbedded = config.databaseUrl === undefined;
  // Connecting would create the embedded database if this folder is missing.
  if (isEmbedded && !(await hasCluster(config.dataDir))) {
    const finding = `There is no database in ${config.dataDir} yet. \`colloquy start\` creates it.`;
    return [{ name: "database", status: "skipped", finding }];
  }
  try {
    const log = createLogger("silent", process.stderr);
    const { database, close } = await connectDatabase({ ...config, databaseWaitMs: 0 }, log, "command");
    const [facts, ahead, secrets] = await inspect(config, database).finally(close);
    return [
      ...[describeVersion(facts, isEmbedded), describePrivileges(facts), describeDurability(facts)],
      ...[describeSchema(facts), describeClock(facts, ahead)],
      ...describeNodes(facts),
      ...(isEmbedded ? [] : await checkHosts(config, facts)),
      ...secrets,
    ];
  } catch (error) {
    const finding = error instanceof Error ? error.message : String(error);
    const remedy = isEmbedded
      ? `Read the reason in PostgreSQL's log, ${join(config.dataDir, "postgres.log")}.`
      : "Check DATABASE_URL (address, user, password, sslmode), and that the server runs and accepts this machine.";
    return [{ name: "database", status: "error", finding, remedy }];
  }
}

async function inspect(config: Config, database: Database): Promise<[DatabaseFacts, NewestTime | undefined, Check[]]> {
  const facts = await inspectDatabase(database);
  if (!isUsable(facts)) return [facts, undefined, []];
  // The newest times are on all nodes.
  const isComplete = facts.workerNodes.every(({ isReachable }) => isReachable);
  const scope = acrossOrganizations(database);
  const ahead = isComplete ? await selectTimeAhead(scope) : undefined;
  const sequences = isComplete ? await checkSequences(scope) : [];
  const files = isComplete ? [await checkStoredFiles(scope)] : [];
  return [facts, ahead, [...sequences, ...files, ...(await checkSecrets(config, database))]];
}

async function checkSecrets(config: Config, database: Database): Promise<Check[]> {
  try {
    return (await hasSecretKey(config)) ? [await countStoredSecrets(config, database)] : [];
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return [{ name: "secrets", status: "error", finding: describeError(error) }];
  }
}

async function countStoredSecrets(config: Config, database: Database): Promise<Check> {
  const name = "secrets";
  const { secrets, fingerprints } = await readKeys({ config });
  const keyUse = await selectKeyUse(database, fingerprints);
  if (keyUse === "unknown") return { name, status: "error", ...OTHER_SECRET_KEY };
  const { current, earlier, unreadable } = await countSecrets(database, secrets);
  if (unreadable > 0) return { name, status: "error", ...unreadableSecrets(unreadable) };
  if (earlier > 0 || keyUse === "earlier") {
    const finding = `The database was used with a key of SECRET_KEY_OLD, under which are stored secrets: ${earlier}.`;
    return { name, status: "warning", finding, remedy: "Run `colloquy rotate-secrets` before you remove that key." };
  }
  return { name, status: "ok", finding: `Stored secrets: ${current}, all under the current SECRET_KEY.` };
}

function describeVersion({ version, requirements }: DatabaseFacts, isEmbedded: boolean): Check {
  const wrong = wrongEncoding(requirements);
  if (wrong) return { name: "database", status: "error", ...wrong };
  const server = isEmbedded ? "The embedded" : "DATABASE_URL's";
  const finding = `${server} PostgreSQL ${version} responds, with encoding ${requirements.encoding}.`;
  return { name: "database", status: "ok", finding };
}

/** A service whose schema is up to date works without the privileges, and its next upgrade fails. */
function describePrivileges(facts: DatabaseFacts): Check {
  const { requirements } = facts;
  const name = "privileges";
  const misplaced = wrongSchema(requirements);
  if (misplaced) return { name: "schema", status: "error", ...misplaced };
  const missing = missingPrivilege(requirements);
  if (missing) return { name, status: isUsable(facts) ? "warning" : "error", ...missing };
  return { name, status: "ok", finding: `The user ${requirements.user} may create tables and schemas.` };
}

function describeDurability({ fsync, fullPageWrites, synchronousCommit }: DatabaseFacts): Check {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit };
  const off = Object.entries(settings).flatMap(([name, value]) => (value === "off" ? [name] : []));
  if (off.length === 0) {
    const finding = "Committed data survives a crash (fsync, full_page_writes and synchronous_commit are on).";
    return { name: "durability", status: "ok", finding };
  }
  return {
    name: "durability",
    status: "error",
    finding: `A crash can lose committed data: off are ${off.join(", ")}.`,
    remedy: `Turn on ${off.join(", ")} in the server's configuration, and check the settings of role and database.`,
  };
}

/** Returns whether this version can run on the schema as it is. */
function isUsable({ schema }: DatabaseFacts): boolean {
  return schema?.missing.length === 0 && !schema.outdated;
}

function describeSchema({ schema }: DatabaseFacts): Check {
  const name = "migrations";
  if (schema === undefined) {
    const finding = "The database has no tables yet. The first `colloquy start` creates them.";
    return { name, status: "skipped", finding };
  }
  if (schema.outdated) return { name, status: "error", ...schema.outdated };
  if (schema.isNewer) {
    return { name, status: "ok", finding: "The schema is that of a later version, and this version can run on it." };
  }
  if (schema.missing.length === 0) return { name, status: "ok", finding: "The schema is up to date." };
  const finding = `Migrations are missing: ${schema.missing.join(", ")}.`;
  return { name, status: "error", finding, remedy: "Run `colloquy migrate` or restart the service." };
}

function describeClock({ clockAheadMs }: DatabaseFacts, ahead: NewestTime | undefined): Check {
  if (ahead) return { name: "clock", status: "warning", ...clockBehind(ahead) };
  const finding = `The database's clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? "behind" : "ahead"}.`;
  if (Math.abs(clockAheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return { name: "clock", status: "ok", finding };
  return { name: "clock", status: "warning", finding, remedy: "Synchronize the clocks of both machines with NTP." };
}

function describeNodes({ workerNodes }: DatabaseFacts): Check[] {
  const name = "worker nodes";
  const away = workerNodes.flatMap(({ address, isReachable }) => (isReachable ? [] : [address]));
  if (away.length > 0) {
    const finding = `The coordinator of Citus cannot reach ${away.join(", ")}: organizations there are unavailable.`;
    const remedy = "Bring the node back, or promote its standby and call citus_update_node on the coordinator.";
    return [{ name, status: "error", finding, remedy }];
  }
  if (workerNodes.length === 0) return [];
  const finding = `The coordinator of Citus reaches all worker nodes: ${workerNodes.length}.`;
  return [{ name, status: "ok", finding }];
}

async function checkFiles(config: Config): Promise<Check> {
  const place = config.files ? config.files.bucket.url : join(config.dataDir, "files");
  if (!config.files && !(await hasCluster(config.dataDir)) && config.databaseUrl === undefined) {
    return { name: "files", status: "skipped", finding: `Not checked. The first start creates ${place}.` };
  }
  try {
    await openFileStore(config).check();
    const lost = await findLostFiles(config);
    if (lost) return { name: "files", status: "warning", ...lost };
    return { name: "files", status: "ok", finding: `Files can be written to ${place}.` };
  } catch (error) {
    const finding = `Files cannot be written to ${place}: ${error instanceof Error ? error.message : error}`;
    return { name: "files", status: "error", finding, remedy: "Correct FILES_URL and its keys, or DATA_DIR." };
  }
}

async function checkMail({ smtpUrl, dataDir, mailFrom }: Config): Promise<Check> {
  if (smtpUrl === undefined) {
    const outbox = join(dataDir, "outbox");
    const finding = `SMTP_URL is not set. Mails of workspaces without a provider are kept in ${outbox}.`;
    return { name: "mail", status: "ok", finding };
  }
  const { host } = new URL(smtpUrl);
  try {
    const finding = `${host} responds: ${await readGreeting(smtpUrl)}`;
    if (mailFrom !== VARIABLES.MAIL_FROM.default) return { name: "mail", status: "ok", finding };
    const remedy = "Set MAIL_FROM. Most mail servers reject the default sender, which is not a real address.";
    return { name: "mail", status: "warning", finding, remedy };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const finding = `${host} does not respond as a mail server: ${reason}.`;
    const remedy = "Check SMTP_URL (smtps:// for a TLS port such as 465) and the network between the two machines.";
    return { name: "mail", status: "error", finding, remedy };
  }
}
