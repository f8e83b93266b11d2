import { randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Cipher } from "../../../config/cipher.ts";
import { invalidField, ServiceError } from "../../../contract/errors.ts";
import type { Context } from "../../../contract/operation.ts";
import { Identifier } from "../../../contract/schema.ts";
import { MAX_WEB_URL_LENGTH } from "../../../contract/web-url.ts";
import type { Queryable } from "../../../database/statement.ts";
import { toAdvancedSettings } from "../config/webhook-config.ts";
import { selectWebhookConfig } from "../config/webhook-config-queries.ts";
import { findWebhookUrlError } from "../config/webhook-url.ts";
import { WEBHOOK_EVENT_TYPES } from "./event-types.ts";

const MAX_CHANNELS = 1_000;
const MAX_RATE = 10_000;
const MAX_METADATA = 50;
const SECRET_BYTES = 24;
const SECRET_PREFIX = "whsec_";

/** Time for which the previous secret signs messages too after a rotation. */
export const PREVIOUS_SECRET_MS = 24 * 60 * 60 * 1000;

const Url = Type.String({
  maxLength: MAX_WEB_URL_LENGTH,
  description: "https URL. A user name and password in it are sent as HTTP Basic authentication.",
});
const Description = Type.String({ maxLength: 4096 });
const FilterTypes = Type.Array(Type.Enum(WEBHOOK_EVENT_TYPES), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  uniqueItems: true,
  description: "Names of the events that are sent. Without it all are.",
});
const Channels = Type.Array(Identifier, {
  minItems: 1,
  maxItems: MAX_CHANNELS,
  description: "IDs of organizations and documents whose events are sent. Without it all are.",
});
const RateLimit = Type.Integer({ minimum: 1, maximum: MAX_RATE, description: "Maximum number of attempts a second." });
const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
  maxProperties: MAX_METADATA,
  description: "Texts of the caller, which the service only stores.",
});
const Disabled = Type.Boolean({ description: "Whether nothing is sent to the endpoint." });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

export const NewEndpoint = Type.Object({
  url: Url,
  description: Type.Optional(Description),
  filterTypes: Type.Optional(FilterTypes),
  channels: Type.Optional(Channels),
  disabled: Type.Optional(Disabled),
  rateLimit: Type.Optional(RateLimit),
  uid: Type.Optional(Identifier),
  metadata: Type.Optional(Metadata),
});

/** Fields that an update can replace. Null removes one. */
export const changeableFields = {
  url: Url,
  description: orNull(Description),
  filterTypes: orNull(FilterTypes),
  channels: orNull(Channels),
  disabled: Disabled,
  rateLimit: orNull(RateLimit),
  metadata: orNull(Metadata),
};

/** Settings of an endpoint, as they are stored. */
export interface EndpointSettings {
  url: string;
  description?: string | null | undefined;
  filterTypes?: string[] | null | undefined;
  channels?: string[] | null | undefined;
  rateLimit?: number | null | undefined;
  metadata?: Record<string, string> | null | undefined;
}

export interface EndpointRow {
  id: string;
  uid: string | null;
  /** EndpointSettings as JSON text. */
  settings: string;
  disabled: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

const Time = Type.String({ description: "ISO 8601." });
export const Endpoint = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    description: orNull(Type.String()),
    filterTypes: orNull(Type.Array(Type.String())),
    channels: orNull(Type.Array(Type.String())),
    disabled: Type.Boolean(),
    rateLimit: orNull(Type.Integer()),
    uid: orNull(Type.String()),
    metadata: orNull(Type.Record(Type.String(), Type.String())),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: "WebhookEndpoint" },
);

/** Returns an endpoint as callers read it. Fields that are not set are null. */
export function toEndpoint(row: EndpointRow): Static<typeof Endpoint> {
  const settings: EndpointSettings = JSON.parse(row.settings);
  return {
    id: row.id,
    url: settings.url,
    description: settings.description ?? null,
    filterTypes: settings.filterTypes ?? null,
    channels: settings.channels ?? null,
    disabled: row.disabled,
    rateLimit: settings.rateLimit ?? null,
    uid: row.uid,
    metadata: settings.metadata ?? null,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** Throws FAILED_PRECONDITION unless advanced webhooks are enabled. */
export async function requireAdvancedWebhooks(
  { workspace }: Pick<Context, "workspace">,
  database: Queryable,
): Promise<void> {
  if (toAdvancedSettings(await selectWebhookConfig(database, workspace.id)).isEnabled) return;
  throw new ServiceError(
    "webhooks_disabled",
    "Advanced webhooks are off. Enable them with /v2/workspace/advancedwebhookconfig/update.",
  );
}

/** Throws INVALID_ARGUMENT if messages cannot be sent to the URL. */
export function requireWebhookUrl(url: string, allowPrivateAddresses: boolean): void {
  const error = findWebhookUrlError(url, allowPrivateAddresses);
  if (error !== undefined) throw invalidField("data.url", error);
}

export function unknownEndpoint(): ServiceError {
  return new ServiceError("not_found", "There is no such webhook endpoint.");
}

/** Generates a secret in the form of Standard Webhooks. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** Returns the key by which messages are signed with a secret. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
}

/** Returns the associated data that binds an encrypted secret to its endpoint. */
export function secretBinding(endpointId: string): string {
  return `secret of webhook endpoint ${endpointId}`;
}

/** Decrypts a secret. Throws FAILED_PRECONDITION if SECRET_KEY has changed since. */
export function openSecret(secrets: Cipher, endpointId: string, secret: Buffer): string {
  try {
    return secrets.decrypt(secret, secretBinding(endpointId));
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The secret of the endpoint cannot be read, as the server's SECRET_KEY has changed since. Rotate it with " +
        "/v2/workspace/advancedwebhook/endpoints/secret/rotate, or ask the operator to add the earlier key to " +
        "SECRET_KEY_OLD.",
    );
  }
}
