import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { createOperatorLink, generateToken, hashToken } from "../src/features/sign-in/login-link.ts";
import { insertLink } from "../src/features/sign-in/sign-in-queries.ts";
import { createWorkspace } from "../src/features/workspaces/workspaces.ts";
import type { Api } from "../src/operations.ts";
import { type TestService, TestWorkspace } from "./harness.ts";

interface ApiResponse {
  httpStatus: number | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Sends exactly the given headers, among them those that `fetch` forbids, as a browser would. */
export function send(url: string, body: unknown, headers: Record<string, string>): Promise<ApiResponse> {
  const content = JSON.stringify(body);
  const all = { "content-type": "application/json", ...headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers: all }, async (response) => {
      const { statusCode: httpStatus, headers: received } = response;
      resolve({ httpStatus, headers: received, body: JSON.parse(await text(response)) });
    });
    request.on("error", reject).end(content);
  });
}

/** Returns the headers that a browser sends with a request from a page of the service. */
export function sameOriginHeaders(address: string): Record<string, string> {
  return { origin: new URL(address).origin, "sec-fetch-site": "same-origin", "user-agent": "Test Browser/1.0" };
}

/** Creates a workspace whose owner has this email address. */
export async function ownedWorkspace(
  service: TestService,
  ownerEmail: string,
  { activityServiceEnabled = true } = {},
): Promise<TestWorkspace> {
  const made = await createWorkspace(service.database, { name: "owned", ownerEmail, activityServiceEnabled });
  return new TestWorkspace(service.address, made);
}

/** Creates a login link for the owner, or for the operator if null. Returns its token. */
export async function linkToken(
  service: Pick<TestService, "database" | "address">,
  ownerAddress: string | null,
  { continueUrl = null, expiresAt = Date.now() + 60_000 }: { continueUrl?: string | null; expiresAt?: number } = {},
): Promise<string> {
  if (ownerAddress === null && continueUrl === null) {
    return getToken((await createOperatorLink(service.database, service.address)).url);
  }
  const token = generateToken();
  await insertLink(service.database, { tokenHash: hashToken(token), ownerAddress, continueUrl, expiresAt });
  return token;
}

/** Returns the token of a login link, which is its fragment. */
export function getToken(link: string): string {
  return new URL(link).hash.slice(1);
}

export function postToken(address: string, token: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return send(`${address}/console/session`, { token }, { ...sameOriginHeaders(address), ...headers });
}

/** A session of a browser that has signed in. */
export class TestSession {
  readonly address: string;
  readonly cookie: string;

  constructor(address: string, cookie: string) {
    this.address = address;
    this.cookie = cookie;
  }

  /** Returns the same session with calls to another address. */
  at(address: string): TestSession {
    return new TestSession(address, this.cookie);
  }

  get headers(): Record<string, string> {
    return { ...sameOriginHeaders(this.address), cookie: this.cookie };
  }

  /** Sends a call. An empty value removes a header. */
  call(path: string, data: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const all = Object.entries({ ...this.headers, ...headers }).filter(([, value]) => value !== "");
    return send(`${this.address}${path}`, { data }, Object.fromEntries(all));
  }

  /** Returns the `result.data` of a call that must succeed. */
  async data<Path extends keyof Api>(
    path: Path,
    data: Api[Path]["request"],
    headers: Record<string, string> = {},
  ): Promise<Api[Path]["response"]> {
    const { httpStatus, body } = await this.call(path, data, headers);
    expect(body, `${path} must succeed`).toMatchObject({ result: { status: "success" } });
    expect(httpStatus).toBe(200);
    return Object(body).result.data;
  }

  /** Returns the IDs of the workspaces that the session can access. */
  async workspaceIds(): Promise<string[]> {
    return (await this.data("/v2/workspaces/get", {})).map(({ id }) => id);
  }
}

/** Signs in as the owner, or as the operator if null. */
export async function signIn(
  service: Pick<TestService, "database" | "address">,
  ownerAddress: string | null,
  headers: Record<string, string> = {},
): Promise<TestSession> {
  const response = await postToken(service.address, await linkToken(service, ownerAddress), headers);
  expect(response).toMatchObject({ httpStatus: 200 });
  return new TestSession(service.address, getCookie(response));
}

/** Returns the only cookie of the response as `name=value`. */
export function getCookie({ headers }: Pick<ApiResponse, "headers">): string {
  const [cookie = "", ...others] = headers["set-cookie"] ?? [];
  expect(others).toEqual([]);
  return cookie.split(";", 1)[0] ?? "";
}
