import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { registerCleanup } from "./cleanup.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { runQuery } from "./servers.ts";

const run = promisify(execFile);

/** Folder of the programs of an installed PostgreSQL, as Debian has it; the embedded one has no pg_basebackup. */
const [BASEBACKUP] = globSync("/usr/lib/postgresql/*/bin/pg_basebackup");
export const isPostgresInstalled = BASEBACKUP !== undefined;
const BIN = dirname(BASEBACKUP ?? "");
const DATABASE = "colloquy";

/** PostgreSQL does not run as root. */
const ACCOUNT =
  process.getuid?.() === 0
    ? { uid: readId("-u"), gid: readId("-g") }
    : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

function readId(option: string): number {
  return Number(spawnSync("id", [option, "postgres"]).stdout);
}

export class ReplicatedServer {
  readonly port: number;
  readonly folder: string;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${DATABASE}`;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts the server and waits until it accepts connections. */
  async start(): Promise<void> {
    const settings = { port: this.port, listen_addresses: "127.0.0.1", unix_socket_directories: "" };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#process = spawn(join(BIN, "postgres"), ["-D", this.folder, ...options], { ...ACCOUNT, stdio: "ignore" });
    await eventually(() => runQuery(this.url.replace(DATABASE, "postgres"), "select 1"));
  }

  /** Ends the server with SIGKILL, as the loss of its machine does. */
  async kill(): Promise<void> {
    if (this.#process?.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    await this.#signalAll("KILL");
    await exited;
  }

  /** Stops all processes of the server without ending them, so that it keeps its connections and never responds. */
  async freeze(): Promise<void> {
    await this.#signalAll("STOP");
  }

  async #signalAll(signal: string): Promise<void> {
    const pid = String(this.#process?.pid);
    await run("kill", ["-s", "STOP", pid]);
    const children = (await run("pgrep", ["-P", pid])).stdout.trim().split("\n");
    await run("kill", ["-s", signal, ...children, pid]);
  }

  async promote(): Promise<void> {
    await runQuery(this.url, "select pg_promote()");
  }
}

/** Starts a primary with a database, and a standby that confirms each commit, until the end of the test. */
export async function startReplicatedServers(): Promise<{ primary: ReplicatedServer; standby: ReplicatedServer }> {
  const folder = await mkdtemp(join(tmpdir(), "replicated-"));
  await chmod(folder, 0o755);
  await chown(folder, ACCOUNT.uid, ACCOUNT.gid);
  const primary = new ReplicatedServer(join(folder, "primary"), await freePort());
  const standby = new ReplicatedServer(join(folder, "standby"), await freePort());
  registerCleanup(async () => {
    for (const server of [primary, standby]) await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const locale = ["-E", "UTF8", "--locale=C.UTF-8"];
  await run(join(BIN, "initdb"), ["-D", primary.folder, "-U", "postgres", "-A", "trust", "-N", ...locale], ACCOUNT);
  await primary.start();
  await runQuery(primary.url.replace(DATABASE, "postgres"), `create database ${DATABASE}`);
  const source = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"];
  await run(join(BIN, "pg_basebackup"), [...source, "-D", standby.folder, "-R", "-N", "-c", "fast"], ACCOUNT);
  await standby.start();
  await runQuery(primary.url, "alter system set synchronous_standby_names = '*'");
  await runQuery(primary.url, "select pg_reload_conf()");
  await eventually(async () => {
    const { rowCount } = await runQuery(primary.url, "select from pg_stat_replication where sync_state = 'sync'");
    if (rowCount !== 1) throw new Error("the standby is not synchronous yet");
  });
  return { primary, standby };
}
