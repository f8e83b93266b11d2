/** A Hocuspocus server without storage and authentication, beside which document sync is measured. */
import { Server } from "@hocuspocus/server";

const server = new Server({ port: 0, address: "127.0.0.1", quiet: true, stopOnSignals: true });
await server.listen();
console.log(`listening on ${server.webSocketURL}`);
