import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { deriveKeys, type SecretKeys } from "../config/cipher.ts";
import { ServiceError } from "../contract/errors.ts";
import { isObject } from "../json/is-object.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The workspace, operation and filters for which a token is valid. */
interface PageScope {
  workspaceId: string;
  path: string;
  request: object;
  /** Defaults of the request: a default that is sent is the same request as without it. */
  defaults?: ReadonlyMap<string, unknown>;
}

const MAC_BYTES = 16;

/**
 * Creates and checks page tokens. A token is the cursor with a message authentication code over it and its scope, so
 * callers cannot change it and the service need not store it. It is not encrypted, which would take a quarter of the
 * time that the engine spends on a page.
 */
export class PageTokens {
  readonly #keys: ReturnType<typeof deriveKeys>;

  constructor(secretKeys: SecretKeys) {
    this.#keys = deriveKeys(secretKeys, "colloquy page token");
  }

  sign(scope: PageScope, cursor: unknown): string {
    const text = JSON.stringify(cursor);
    return Buffer.concat([computeMac(this.#keys[0], scope, text), Buffer.from(text)]).toString("base64url");
  }

  /** Returns the cursor, or undefined if the token was not created for this scope. */
  verify(scope: PageScope, token: string): unknown {
    const bytes = Buffer.from(token, "base64url");
    const text = bytes.subarray(MAC_BYTES).toString();
    const isOurs =
      bytes.length > MAC_BYTES &&
      bytes.toString("base64url") === token &&
      this.#keys.some((key) => timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(key, scope, text)));
    return isOurs ? JSON.parse(text) : undefined;
  }

  /** Returns the cursor. Throws INVALID_ARGUMENT for a token that was not created for this scope. */
  verifyOrThrow(scope: PageScope, token: string): unknown {
    const cursor = this.verify(scope, token);
    if (cursor !== undefined) return cursor;
    throw new ServiceError(
      "page_token_invalid",
      "data.pageToken is not one that this operation returned for these filters. Send it back unchanged, with the " +
        "same filters, or leave it out to start from the first page.",
      { details: { issues: [{ path: "data.pageToken", message: "is not a page token for these filters" }] } },
    );
  }
}

function computeMac(key: KeyObject, scope: PageScope, cursor: string): Buffer {
  const mac = createHmac("sha256", key).update(`${scopeText(scope)}\n${cursor}`);
  return mac.digest().subarray(0, MAC_BYTES);
}

function isDefault(defaults: PageScope["defaults"], name: string, value: unknown): boolean {
  return defaults?.has(name) === true && defaults.get(name) === value;
}

/** Returns the defaults of the fields of a request by name. */
export function getDefaults(request: JsonSchema): Map<string, unknown> {
  const { properties = {}, allOf = [], anyOf = [] } = request;
  const defaults = [...toList(allOf), ...toList(anyOf)].flatMap((part) => [...getDefaults(part)]);
  for (const [name, field] of Object.entries(Object(properties))) {
    if (isObject(field) && "default" in field) defaults.push([name, field.default]);
  }
  return new Map(defaults);
}

function toList(schemas: unknown): JsonSchema[] {
  return Array.isArray(schemas) ? schemas.filter(isObject) : [];
}

/**
 * Returns the scope as text, regardless of the order of the filters and of the items in their lists, of repeated items,
 * of defaults, and of the page size.
 */
function scopeText({ workspaceId, path, request, defaults }: PageScope): string {
  const filters = Object.entries(request)
    .filter(([name, value]) => name !== "pageToken" && name !== "pageSize" && !isDefault(defaults, name, value))
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([workspaceId, path, filters]);
}
