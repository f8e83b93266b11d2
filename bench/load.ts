import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";

/** Requests to send to one URL. */
export interface Load {
  url: string;
  /** `[<id>]` in headers and bodies is replaced by an ID that is unique across requests and rounds. */
  headers: Record<string, string>;
  /** Bodies, sent in turn. */
  bodies: string[];
}

export interface Measurement {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const run = promisify(execFile);
// A busy machine may take longer than the 2 s after which wrk counts an error.
const TIMEOUT = ["--timeout", "30s"];

export const loadGenerator = isInstalled("wrk") ? "wrk" : "autocannon";

/** Sends POST requests, each connection one at a time. Throws if a request fails. */
export function measure(load: Load, connections: number, seconds: number): Promise<Measurement> {
  return loadGenerator === "wrk" ? runWrk(load, connections, seconds) : runAutocannon(load, connections, seconds);
}

async function runAutocannon(load: Load, connections: number, seconds: number): Promise<Measurement> {
  const headers = { "content-type": "application/json", ...load.headers };
  const result = await autocannon({
    url: load.url,
    connections,
    duration: seconds,
    idReplacement: JSON.stringify(load).includes("[<id>]"),
    requests: load.bodies.map((body) => ({ method: "POST", headers, body })),
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${load.url}: ${result.non2xx + result.errors} errors`);
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** Sends the requests with wrk, which uses less processor time than autocannon. */
async function runWrk(load: Load, connections: number, seconds: number): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-bench-"));
  const script = join(folder, "load.lua");
  await writeFile(script, wrkScript(load));
  try {
    const options = ["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`, ...TIMEOUT];
    const { stdout } = await run("wrk", [...options, "--script", script, load.url]);
    const line = stdout.split("\n").find((text) => text.startsWith("RESULT "));
    const [count = 0, durationUs = 1, p50Us = 0, p99Us = 0, errors = 0] = (line ?? "").split(" ").slice(1).map(Number);
    if (!line || errors > 0) throw new Error(`${load.url}: ${errors} errors\n${stdout}`);
    const requestsPerSecond = (count * 1e6) / durationUs;
    return { requests: count, requestsPerSecond, p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function wrkScript({ headers, bodies }: Load): string {
  const all = Object.entries({ "content-type": "application/json", ...headers });
  return `
    wrk.method = "POST"
    ${all.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`).join("\n")}
    local bodies = { ${bodies.map((body) => `[==[${body}]==]`).join(", ")} }
    local requests = {}
    local position = 0
    local count = 0
    function init()
      for index, body in ipairs(bodies) do
        local text = wrk.format(nil, nil, nil, body)
        if not text:find("[<id>]", 1, true) then requests[index] = text end
      end
    end
    function request()
      position = position % #bodies + 1
      if requests[position] then return requests[position] end
      count = count + 1
      local id = "${randomUUID()}-" .. count
      local text = wrk.format(nil, nil, nil, (bodies[position]:gsub("%[<id>%]", id)))
      return (text:gsub("%[<id>%]", id))
    end
    function done(summary, latency)
      local errors = summary.errors
      print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50),
        latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    end
  `;
}

function isInstalled(command: string): boolean {
  try {
    execFileSync("which", [command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
