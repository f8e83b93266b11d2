import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Load, measure } from "./load.ts";
import { processorTimeUs } from "./processor-time.ts";
import { activitySeedCalls } from "./scenarios.ts";
import { AUTHENTICATION_HEADERS, type RunningService } from "./service.ts";

const ROUNDS = 6;
const SECONDS = 3;
const CONNECTIONS = 16;
const DOCUMENTS = 100_000;
/** Maximum number of documents in a call. */
const DOCUMENTS_A_CALL = 500;
/** Folders in each other; the documents are in as many folders of the sixth level. */
const OUTER_FOLDERS = ["level-1", "level-2", "level-3", "level-4", "level-5"];
const INNER_FOLDERS = 100;
const ISSUER = "https://issuer.example/";

/** Compares the processor time of requests with a user token and with an auth token, in alternating rounds. */
export async function measureUserTokens(service: RunningService, postmasterPid: number): Promise<void> {
  for (const { path, data } of activitySeedCalls()) await service.call(path, data);
  await addDocumentsInFolders(service);
  const issuer = await startIssuer(service);
  const page = { organizationId: "bench", documentId: "document-0", pageSize: 10 };
  const activities = "/v2/activities/get";
  await compareCallers({ service, postmasterPid, issuerToken: issuer.token }, activities, page);
  const documents = { organizationId: "folders", pageSize: 50 };
  await compareCallers({ service, postmasterPid }, "/v2/organizations/documents/get", documents);
  issuer.server.close();
}

/** Makes the workspace accept an issuer, whose keys this process serves. Returns a token of it. */
async function startIssuer(service: RunningService): Promise<{ server: Server; token: string }> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "bench", alg: "RS256", use: "sig" }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await service.call("/v2/workspace/tokenissuerconfig/update", {
    ...{ isEnabled: true, issuer: ISSUER, audience: "bench", claims: { organizations: "orgs" } },
    jwksUrl: `http://127.0.0.1:${port}/keys`,
  });
  const token = await new SignJWT({ orgs: ["bench"], name: "Ada Lovelace", email: "ada@example.com" })
    .setProtectedHeader({ alg: "RS256", kid: "bench" })
    .setIssuer(ISSUER)
    .setAudience("bench")
    .setSubject("ada")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey);
  return { server, token };
}

interface Compared {
  service: RunningService;
  postmasterPid: number;
  issuerToken?: string;
}

/** Adds documents in folders that are six deep and closed to all but users with a permission. */
async function addDocumentsInFolders(service: RunningService): Promise<void> {
  const organizationId = "folders";
  const inner = Array.from({ length: INNER_FOLDERS }, (_, index) => ({
    folderId: `inner-${index}`,
    parentFolderId: "level-5",
  }));
  const outer = OUTER_FOLDERS.map((folderId, index) => ({
    folderId,
    parentFolderId: OUTER_FOLDERS[index - 1] ?? "root",
  }));
  await service.call("/v2/organizations/folders/add", { organizationId, folders: [...outer, ...inner] });
  const closed = { organizationId, folderIds: ["level-1"], accessType: "organizationPrivate" as const };
  await service.call("/v2/organizations/folders/access/update", closed);
  for (let added = 0; added < DOCUMENTS; added += DOCUMENTS_A_CALL) {
    const documents = Array.from({ length: DOCUMENTS_A_CALL }, (_, index) => ({
      documentId: `document-${added + index}`,
    }));
    const folderId = `inner-${(added / DOCUMENTS_A_CALL) % INNER_FOLDERS}`;
    await service.call("/v2/organizations/documents/add", { organizationId, folderId, documents });
  }
}

async function compareCallers(
  { service, postmasterPid, issuerToken }: Compared,
  path: string,
  data: object,
): Promise<void> {
  const { token } = await service.call("/v2/auth/generate_token", {
    userId: "ada",
    userProperties: { name: "Ada Lovelace", email: "ada@example.com" },
    permissions: {
      resources: [
        { type: "organization", id: "bench", accessRole: "viewer" },
        { type: "folder", id: "level-3", organizationId: "folders", accessRole: "viewer" },
      ],
    },
  });
  const callers: [name: string, headers: Record<string, string>][] = [
    ["auth token", AUTHENTICATION_HEADERS],
    ["user token", { authorization: `Bearer ${token}` }],
  ];
  if (issuerToken !== undefined) {
    const apiKey = AUTHENTICATION_HEADERS["x-service-api-key"];
    callers.push(["issuer's token", { authorization: `Bearer ${issuerToken}`, "x-service-api-key": apiKey }]);
  }
  const least = new Map<string, { processUs: number; postgresUs: number }>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, headers] of callers) {
      const load: Load = { url: service.address + path, headers, bodies: [JSON.stringify({ data })] };
      const before = [processorTimeUs(service.program.pid), processorTimeUs(postmasterPid)] as const;
      const { requests } = await measure(load, CONNECTIONS, SECONDS);
      const processUs = (processorTimeUs(service.program.pid) - before[0]) / requests;
      const postgresUs = (processorTimeUs(postmasterPid) - before[1]) / requests;
      const known = least.get(name);
      // Other processes only add to the time. The first round compiles the hot functions.
      if (round > 0 && !(known && known.processUs + known.postgresUs < processUs + postgresUs)) {
        least.set(name, { processUs, postgresUs });
      }
    }
  }
  for (const [name, { processUs, postgresUs }] of least) {
    console.log(`${path}, ${name}: ${processUs.toFixed(0)} µs in the service, ${postgresUs.toFixed(0)} in PostgreSQL`);
  }
}
