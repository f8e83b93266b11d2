import { expect } from "vitest";
import { toOrganizationKey } from "../../src/database/keys.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import type { Api } from "../../src/operations.ts";
import { post, type TestWorkspace } from "../harness.ts";
import type { startReceiver } from "../webhooks.ts";

/** Both workspaces have organizations, documents, users and records with the same IDs. Only the texts differ. */
export const ORGANIZATION_IDS = ["acme", "initech"] as const;
export const DOCUMENT_ID = "contract";

type OrganizationId = (typeof ORGANIZATION_IDS)[number];
type Request<Path extends keyof Api> = Api[Path]["request"];
type Response<Path extends keyof Api> = Api[Path]["response"];

/** A workspace with two tenants, and a receiver of its webhooks. Its name is in all texts that its tenants write. */
export interface Space {
  name: string;
  workspace: TestWorkspace;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** Addresses of the processes. */
  addresses: string[];
  /** Sessions of the owner in the console. */
  sessionIds: string[];
  /** Endpoint of webhooks that gets every event. */
  endpointId: string;
  tenants: Tenant[];
}

/** An organization of a workspace, which calls the processes in turn. */
export class Tenant {
  readonly space: Space;
  readonly organizationId: OrganizationId;
  readonly inDocument: { organizationId: OrganizationId; documentId: string };
  /** Cursor before the first record. */
  firstCursor = "";
  /** Token of the user grace, an editor. */
  userToken = "";
  readonly #responses = new Map<string, unknown>();
  #calls = 0;

  constructor(space: Space, organizationId: OrganizationId) {
    this.space = space;
    this.organizationId = organizationId;
    this.inDocument = { organizationId, documentId: DOCUMENT_ID };
  }

  /** Returns a text that only this tenant writes. */
  text(kind: string, index: number): string {
    return `${this.space.name}/${this.organizationId} ${kind} #${index}`;
  }

  email(userId: string): string {
    return `${userId}@${this.organizationId}.${this.space.name}.example`;
  }

  profile(userId: string) {
    return { name: `${this.space.name}/${this.organizationId} ${userId}`, email: this.email(userId) };
  }

  user(userId: string) {
    return { userId, ...this.profile(userId) };
  }

  /** Calls an operation on the next process, with the credentials of the backend or other headers. */
  async call(path: string, data: unknown, headers: Record<string, string> = {}): Promise<unknown> {
    const { addresses, workspace } = this.space;
    const credentials = "authorization" in headers ? {} : workspace.headers;
    const address = addresses[this.#calls++ % addresses.length];
    const { httpStatus, body } = await post(`${address}${path}`, data, { ...credentials, ...headers });
    expect(httpStatus, `${path} must succeed: ${JSON.stringify({ data, body })}`).toBeOneOf([200, 202]);
    return body;
  }

  /** Returns the `data` of a call that must succeed. */
  async data<Path extends keyof Api>(
    path: Path,
    request: Request<Path>,
    headers?: Record<string, string>,
  ): Promise<Response<Path>> {
    const body = Object(await this.call(path, request, headers));
    return "result" in body ? body.result.data : body.data;
  }

  /** Keeps the response to the call with this index for later requests. */
  remember<Path extends keyof Api>(path: Path, index: number, response: Response<Path>): void {
    this.#responses.set(`${path} ${index}`, response);
  }

  /** Returns the response to an earlier call. */
  response<Path extends keyof Api>(path: Path, index: number): Response<Path> {
    const name = `${path} ${index}`;
    if (!this.#responses.has(name)) throw new Error(`There was no call ${name}.`);
    return typedResponse<Path>(this.#responses.get(name));
  }
}

/** Casts a response, which was kept under its path. */
function typedResponse<Path extends keyof Api>(response: unknown): Response<Path> {
  return response as Response<Path>;
}

/** Returns what only the workspace may read, each with the name that stands for it in comparisons. */
export function getIdentities({ name, workspace, receiver, tenants }: Space): [string, string][] {
  const organizations = tenants.flatMap(({ organizationId }): [string, string][] => {
    const key = organizationKey(workspace.id, organizationId);
    return [
      [key, `<key of ${organizationId}>`],
      [toOrganizationKey(key), `<key of ${organizationId}>`],
    ];
  });
  return [
    [workspace.apiKey, "<API key>"],
    [workspace.id, "<workspace>"],
    [new URL(receiver.url).host, "<receiver>"],
    ...organizations,
    [name, "<space>"],
  ];
}
