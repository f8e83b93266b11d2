/** The backend of the example: it serves the page and gives its users tokens. */
import { createServer, type Server } from "node:http";
import { type Client, type ClientOptions, ColloquyError, createClient } from "@colloquy/client";
import { uploadFile } from "@colloquy/client/upload";
import { DOCUMENT, TEXT, USERS, type User } from "./team.ts";

const { organizationId } = DOCUMENT;
const CONTENT_TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Contents of the files of the page, by their paths. */
export type PageFiles = ReadonlyMap<string, string | Uint8Array>;

/** Starts the backend with the page. */
export async function startBackend(options: ClientOptions, files: PageFiles, port: number): Promise<Server> {
  const colloquy = createClient(options);
  await prepare(colloquy);
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = URL.parse(request.url ?? "/", "http://backend") ?? new URL("http://backend/-");
    const path = pathname === "/" ? "/index.html" : pathname;
    // In your product, the session of the request says who the user is.
    const user = USERS.find(({ userId }) => userId === searchParams.get("user"));
    if (files.has(path))
      response.setHeader("content-type", CONTENT_TYPES[path.replace(/.*\./, "")] ?? "").end(files.get(path));
    else if (path === "/service") response.end(colloquy.url);
    else if (path !== "/token" || !user) response.writeHead(404).end();
    else response.end(await tokenFor(colloquy, user).catch(() => response.writeHead(502) && ""));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "localhost", resolve));
  return server;
}

/** Creates what the page needs, unless an earlier start has. */
async function prepare(client: Client): Promise<void> {
  const { call } = client;
  await call("/v2/organizations/add", { organizations: [{ organizationId, organizationName: "Harbor" }] });
  const documents = [{ documentId: DOCUMENT.documentId, documentName: "Launch plan" }];
  await call("/v2/organizations/documents/add", { organizationId, documents });
  await call("/v2/users/add", { organizationId, users: USERS.map(({ color: _, ...user }) => user) });
  await call("/v2/workspace/domains/add", { domains: ["localhost"] }).catch(ignoreExisting);
  const editor = { ...DOCUMENT, type: "xml" as const, contentKey: "default", data: TEXT };
  await call("/v2/crdt/add", editor).then(() => addHistory(client), ignoreExisting);
}

/** Adds a version of the new document, and a pin with a file. */
async function addHistory(client: Client): Promise<void> {
  await client.call("/v2/crdt/versions/add", { ...DOCUMENT, name: "First draft" });
  const notes = new File(["Four of five found the board at once.\n"], "interviews.txt", { type: "text/plain" });
  const attachments = [await uploadFile(client, notes, DOCUMENT)];
  const { userId, name } = USERS[0];
  const comment = { from: { userId, name }, commentText: "All of them looked here first.", attachments };
  const anchor = { selector: "#sketch", x: 0.32, y: 0.3 };
  const { documentId } = DOCUMENT;
  const commentAnnotations = [{ anchor, commentData: [comment] }];
  await client.call("/v2/commentannotations/add", { organizationId, documentId, commentAnnotations });
}

function ignoreExisting(error: unknown): void {
  const isExisting =
    error instanceof ColloquyError && (error.status === "ALREADY_EXISTS" || error.reason === "domains_skipped");
  if (!isExisting) throw error;
}

async function tokenFor({ call }: Client, { userId, name, email, accessRole }: User): Promise<string> {
  const resources = [{ type: "organization" as const, id: organizationId, accessRole }];
  const request = { userId, userProperties: { name, email }, permissions: { resources }, expiresInSeconds: 3600 };
  return (await call("/v2/auth/generate_token", request)).data.token;
}
