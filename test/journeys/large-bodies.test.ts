import { expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { RawConnection, requestText } from "../raw-connection.ts";

const ADD = "/v2/activities/add";
const TRIES = Array.from({ length: 10 });
const CHUNK = "x".repeat(64 * 1024);
/** Number of chunks of a body that is larger than any operation accepts. */
const CHUNKS = 250;

const service = await startTestService();
const workspace = await service.workspace();

/** Sends a request whose body has 16 MB without reading anything, and returns the answer. */
async function sendTooMuch(headers: Record<string, string>, chunk: string) {
  const connection = await RawConnection.open(service.address);
  connection.socket.pause();
  await connection.send(requestText(ADD, { ...workspace.headers, ...headers }, ""));
  for (let sent = 0; sent < CHUNKS; sent++) await connection.send(chunk);
  connection.socket.resume();
  const answer = await connection.answer();
  connection.socket.destroy();
  return answer;
}

const TOO_LARGE = { httpStatus: 413, body: { error: { details: { reason: "body_too_large" } } } };

test.each([
  ["announced by its length", { "content-length": String(CHUNKS * CHUNK.length) }, CHUNK],
  ["of unknown length", { "transfer-encoding": "chunked" }, `${CHUNK.length.toString(16)}\r\n${CHUNK}\r\n`],
])("a client that sends a body over the limit, %s, before it reads always gets the 413", async (_, headers, chunk) => {
  for (const _try of TRIES) {
    const answer = await sendTooMuch(headers, chunk);
    expect(answer).toMatchObject(TOO_LARGE);
    expect(answer.headers.get("connection")).toBe("close");
  }
});

test.each<[title: string, path: string, headers: Record<string, string>, httpStatus: number]>([
  ["without credentials", ADD, {}, 403],
  ["with a wrong token", ADD, { ...workspace.headers, "x-service-auth-token": "wrong" }, 403],
  ["of an unknown operation", "/v2/unknown", {}, 404],
  ["of another media type", ADD, { ...workspace.headers, "content-type": "text/plain" }, 415],
  ["that is compressed", ADD, { ...workspace.headers, "content-encoding": "gzip" }, 415],
  ["that announces too much", ADD, { ...workspace.headers, "content-length": "10485761" }, 413],
  ["that is public and announces too much", "/v2/workspace/email/send-login-link", { "content-length": "16385" }, 413],
])("a request %s is refused before its body arrives", async (_title, path, headers, httpStatus) => {
  const connection = await RawConnection.open(service.address);
  await connection.send(requestText(path, { "content-length": "1000000", ...headers }, '{"data":'));
  const answer = await connection.answer();
  expect(answer.httpStatus).toBe(httpStatus);
  expect(answer.headers.get("connection")).toBe("close");
  connection.socket.destroy();
});

test("a body that exceeds a limit is refused before it is complete", async () => {
  const connection = await RawConnection.open(service.address);
  const values = `{"data":[${"0,".repeat(100_001)}`;
  await connection.send(requestText(ADD, { ...workspace.headers, "content-length": "1000000" }, values));
  expect(await connection.answer()).toMatchObject({ httpStatus: 400, body: { error: { status: "INVALID_ARGUMENT" } } });
  connection.socket.destroy();
});
