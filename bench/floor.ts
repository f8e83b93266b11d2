/**
 * The floor that the service is compared with: node:http and pg only, with no validation or authentication. A request
 * runs one prepared statement, or several in a transaction. Takes the scenario's name as argument, prints its address.
 */
import { createServer } from "node:http";
import pg from "pg";
import type { FloorStatement, FloorWork } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

const [name, connectionString] = process.argv.slice(2);
const floor: FloorWork | undefined = scenarios.find((scenario) => scenario.name === name)?.floor;
if (!floor || !connectionString) throw new Error("usage: floor.ts <scenario> <connection string>");
const pool = new pg.Pool({ connectionString, max: 10 });
const run = "transaction" in floor ? transaction(floor.transaction) : single(floor);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const rows = await run(body.data);
    const text = JSON.stringify({ result: { status: "success", message: "", data: rows } });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});

type Run = (data: unknown) => Promise<unknown[]>;

function single({ statement, values }: FloorStatement): Run {
  return async (data) => (await pool.query({ name: "floor", text: statement, values: values(data) })).rows;
}

/** Returns the rows of the first statement. */
function transaction(statements: FloorStatement[]): Run {
  return async (data) => {
    const client = await pool.connect();
    await client.query("begin");
    const results: unknown[][] = [];
    for (const [index, { statement, values }] of statements.entries()) {
      results.push((await client.query({ name: `floor-${index}`, text: statement, values: values(data) })).rows);
    }
    await client.query("commit");
    client.release();
    return results[0] ?? [];
  };
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") console.log(`http://127.0.0.1:${address.port}`);
});
