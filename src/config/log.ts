import pino, { type Logger } from "pino";
import { prettyFactory } from "pino-pretty";
import { LineWriter } from "./line-writer.ts";

/** Fields of an error that say what failed. The data it concerns (parameters, rows, bodies) is not logged. */
const ERROR_FIELDS = [
  ...["type", "message", "stack", "code", "errno", "syscall", "path", "address", "port", "statusCode"],
  ...["severity", "schema", "table", "column", "constraint", "routine"],
];

/**
 * Creates a logger that writes one line of JSON per event, or readable text if the stream is a terminal. Writes are
 * synchronous unless the reader is slow, because the last line before a crash is the one that matters.
 */
export function createLogger(level: string, stream: { fd: number; isTTY?: boolean } = process.stdout): Logger {
  const options = { level, serializers: { err: describeError } };
  const writer = new LineWriter(stream.fd);
  if (!stream.isTTY) return pino(options, writer);
  const messageFormat = "{if worker}worker {worker}: {end}{msg}";
  const format = prettyFactory({ colorize: true, ignore: "pid,hostname,worker", messageFormat });
  return pino(options, { write: (line) => writer.write(format(line)) });
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const described: Record<string, unknown> = pino.stdSerializers.err(error);
  const hide = getHider(error);
  const fields = ERROR_FIELDS.flatMap((name) => {
    const value = described[name];
    return value === undefined ? [] : [[name, typeof value === "string" ? hide(value) : value]];
  });
  if (error instanceof AggregateError) fields.push(["aggregateErrors", error.errors.map(describeError)]);
  return Object.fromEntries(fields);
}

/** Returns a function that hides the values that PostgreSQL's data exceptions (class 22) quote. */
function getHider(error: Error): (text: string) => string {
  const hidden = new Map<string, string>();
  const seen = new Set<unknown>();
  for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    const isDataException = "code" in cause && typeof cause.code === "string" && /^22[0-9A-Z]{3}$/.test(cause.code);
    if (isDataException) hidden.set(cause.message, cause.message.replace(/".*"/s, '"…"'));
  }
  return (text) => [...hidden].reduce((result, [message, safe]) => result.replaceAll(message, () => safe), text);
}
