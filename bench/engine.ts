/** `npm run bench -- engine`: measures what the engine adds to a request, beside bare Fastify and bare `node:http`. */
import { CONNECTIONS, ROUNDS, SECONDS } from "./compare.ts";
import { measure } from "./load.ts";
import { median } from "./median.ts";
import { type RunningProgram, startProgram } from "./processes.ts";
import { processorTimeUs } from "./processor-time.ts";
import { AUTHENTICATION_HEADERS, ENVIRONMENT } from "./service.ts";

/** Path of the operation that does nothing. */
export const ENGINE_PATH = "/v2/bench/nothing";

const KINDS = ["node", "fastify", "colloquy"] as const;
const WARM_UP_ROUNDS = 3;

interface Side {
  kind: (typeof KINDS)[number];
  program: RunningProgram;
  /** Processor time of a request in each round, in microseconds. */
  roundsUs: number[];
}

/** Measures the kinds alternately, so that changes of the machine's speed affect all of them. */
export async function measureEngine(connectionString: string): Promise<void> {
  const sides: Side[] = [];
  try {
    for (const kind of KINDS) sides.push({ kind, program: await startKind(kind, connectionString), roundsUs: [] });
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      for (const side of sides) {
        const us = await measureRound(side);
        if (round >= WARM_UP_ROUNDS) side.roundsUs.push(us);
      }
    }
    const fastifyUs = median(sides.find(({ kind }) => kind === "fastify")?.roundsUs ?? []);
    console.log("engine, an authenticated operation that does nothing: median processor time of a request");
    for (const { kind, roundsUs } of sides) {
      const us = median(roundsUs);
      const ratio = (us / fastifyUs).toFixed(2);
      console.log(`  ${kind.padEnd(10)}${us.toFixed(0).padStart(6)} µs${ratio.padStart(8)} times bare Fastify`);
    }
    console.log("");
  } finally {
    for (const { program } of sides) await program.stop();
  }
}

function startKind(kind: Side["kind"], connectionString: string): Promise<RunningProgram> {
  return startProgram(["--heap-growing-percent=100", "bench/engine-server.ts", kind], {
    environment: { ...ENVIRONMENT, DATABASE_URL: connectionString, SECRET_KEY: "0".repeat(64) },
    readyPattern: /^http:/,
  });
}

async function measureRound({ program }: Side): Promise<number> {
  const before = processorTimeUs(program.pid);
  const load = { url: program.readyLine + ENGINE_PATH, headers: AUTHENTICATION_HEADERS, bodies: ['{"data":{}}'] };
  const { requests } = await measure(load, CONNECTIONS, SECONDS);
  return (processorTimeUs(program.pid) - before) / requests;
}
