import type { ApiRequest, RequestData } from "../../../api/call.ts";
import { type Duration, toSeconds } from "../../../components/duration.ts";

export const PATH = "/v2/auth/generate_token";
type TokenRequest = RequestData<typeof PATH>;
type Resource = TokenRequest["permissions"]["resources"][number];
/** A request that lists documents, to try a token with. */
export type Trial = ApiRequest<"/v2/organizations/documents/get">;

/** State of the fields of one resource. */
export interface ResourceForm {
  /** Number that identifies the resource in the form. */
  key: number;
  type: Resource["type"];
  organizationId: string;
  /** ID of the folder or document. */
  id: string;
  /** The pair of an access context. */
  contextField: string;
  contextValue: string;
  accessRole: NonNullable<Resource["accessRole"]>;
  /** Local time such as `2026-12-24T18:00`, or empty. */
  expiresAt: string;
}

/** State of the form. */
export interface TokenForm {
  userId: string;
  name: string;
  email: string;
  lifetime: Duration;
  resources: ResourceForm[];
}

export const RESOURCE_TYPES: { value: ResourceForm["type"]; label: string }[] = [
  { value: "organization", label: "Organization" },
  { value: "folder", label: "Folder" },
  { value: "document", label: "Document" },
  { value: "context", label: "Access context" },
];

/** Returns the fields of a resource that grants nothing more than reading. */
export function emptyResource(key: number): ResourceForm {
  return {
    ...{ key, type: "organization", organizationId: "", id: "", contextField: "", contextValue: "" },
    ...{ accessRole: "viewer", expiresAt: "" },
  };
}

export const EMPTY_FORM: TokenForm = {
  ...{ userId: "", name: "", email: "", lifetime: { amount: "1", unit: "hours" } },
  resources: [emptyResource(0)],
};

/** Returns the request that generates the token. */
export function toRequest({ userId, name, email, lifetime, resources }: TokenForm): TokenRequest {
  return {
    userId: userId.trim(),
    userProperties: { name: name.trim(), ...(email.trim() !== "" && { email: email.trim() }) },
    permissions: { resources: resources.map(toResource) },
    expiresInSeconds: toSeconds(lifetime),
  };
}

function toResource(resource: ResourceForm): Resource {
  const { type, accessRole, expiresAt } = resource;
  const organizationId = resource.organizationId.trim();
  const ids = {
    organization: { id: organizationId },
    folder: { id: resource.id.trim(), organizationId },
    document: { id: resource.id.trim(), organizationId },
    context: { organizationId, context: { access: { [resource.contextField.trim()]: resource.contextValue.trim() } } },
  };
  return {
    type,
    ...ids[type],
    ...(type !== "context" && { accessRole }),
    ...(expiresAt !== "" && { expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }),
  };
}

const RESOURCE_FIELDS = ["id", "organizationId", "context.access", "expiresAt"] as const;
export type ResourceField = (typeof RESOURCE_FIELDS)[number];

/** Returns the path in the request of a field of a resource, by which errors name it. */
export function resourcePath(index: number, field: ResourceField): string {
  return `data.permissions.resources[${index}].${field}`;
}

/** Returns the paths of all fields of the form. */
export function fieldPaths({ resources }: TokenForm): string[] {
  return [
    ...["data.userId", "data.userProperties.name", "data.userProperties.email", "data.expiresInSeconds"],
    ...resources.flatMap((_, index) => RESOURCE_FIELDS.map((field) => resourcePath(index, field))),
  ];
}

/** Returns a request that lists the documents that a token can read in the organization of its first resource. */
export function getTrial({ permissions: { resources } }: TokenRequest): Trial {
  const { organizationId, id = "" } = resources[0] ?? {};
  return { path: "/v2/organizations/documents/get", data: { organizationId: organizationId ?? id } };
}
