import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { registerCleanup } from "./cleanup.ts";
import { startBucket } from "./s3-bucket.ts";

/** A bucket behind a proxy that can hold deletions. */
export interface HeldBucket {
  /** Value of FILES_URL. */
  url: string;
  /** Leaves the deletions of objects without a response. Resolves when the first one arrives. */
  hold(): Promise<void>;
  /** Lets the next deletions pass. */
  release(): void;
}

export async function startHeldBucket(): Promise<HeldBucket> {
  const bucketUrl = await startBucket();
  const endpoint = new URL(new URL(bucketUrl).searchParams.get("endpoint") ?? "");
  let held: PromiseWithResolvers<void> | undefined;
  const proxy = createServer((received, response) => {
    if (held && received.method === "DELETE") return held.resolve();
    const { method, url: path, headers } = received;
    const options = { host: endpoint.hostname, port: endpoint.port, method, path, headers };
    const sent = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    received.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  registerCleanup(() => {
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return {
    url: bucketUrl.replace(encodeURIComponent(endpoint.origin), encodeURIComponent(`http://127.0.0.1:${port}`)),
    hold() {
      held = Promise.withResolvers();
      return held.promise;
    },
    release() {
      held = undefined;
    },
  };
}
