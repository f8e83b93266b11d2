import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { SCOPE } from "../factories.ts";

const READ = "/v2/activities/get";

/** Returns a client whose first requests a proxy answers with these codes, and the requests. */
function clientBehindProxy(codes: number[]) {
  const fetch = vi.fn(async () => {
    const status = codes.shift();
    return status ? new Response("<html>", { status }) : Response.json({ result: { message: "Done.", data: [] } });
  });
  return { fetch, ...createClient({ url: "http://service", apiKey: "key", authToken: "token", fetch }) };
}

test.each([404, 408, 500, 521])("a call is sent again after an HTTP %i that the service did not send", async (code) => {
  const { call, fetch } = clientBehindProxy([code]);
  expect(await call(READ, SCOPE)).toMatchObject({ message: "Done." });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a call that a proxy forbids is not sent again", async () => {
  const { call, fetch } = clientBehindProxy([403]);
  await expect(call(READ, SCOPE)).rejects.toMatchObject({ status: "PERMISSION_DENIED", httpStatus: 403 });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a stream is open once its first message arrives, not while a proxy holds back all but headers", async () => {
  const bytes = new TransformStream<Uint8Array, Uint8Array>();
  const statuses: string[] = [];
  const responded = Promise.withResolvers<void>();
  const fetch = async () => {
    setImmediate(responded.resolve);
    return new Response(bytes.readable);
  };
  const { events } = createClient({ url: "http://service", apiKey: "key", authToken: "token", fetch });
  const stream = events({ ...SCOPE, onStatus: (status) => statuses.push(status) });
  const next = stream.next();
  await responded.promise;
  expect(statuses).toEqual([]);
  await bytes.writable.getWriter().write(Buffer.from("id: A\nevent: reset\ndata: {}\n\n"));
  expect((await next).value).toMatchObject({ event: "reset" });
  expect(statuses).toEqual(["open"]);
  await stream.return(undefined as never);
});
