import type { Logger } from "pino";
import type { Static, TSchema } from "typebox";
import type { Cipher } from "../config/cipher.ts";
import type { UserTokenKeys } from "../config/user-token-keys.ts";
import type { Queryable, TransactionalQueryable } from "../database/statement.ts";
import type { Mailer } from "../email/mailer.ts";
import type { JobQueue } from "../jobs/jobs.ts";
import type { AccessType } from "./access-type.ts";
import type { Actor, AuditAction, AuditTarget } from "./audit.ts";
import type { CommentNotifications } from "./comment-notifications.ts";
import type { EndUser } from "./end-user.ts";
import type { EndUserRule } from "./end-user-rule.ts";
import type { ErrorStatus } from "./error-catalogue.ts";
import type { Reason } from "./errors.ts";
import type { EventReading } from "./event-reading.ts";
import type { FileLinks } from "./file-links.ts";
import type { Host } from "./host.ts";
import { hidesEmails, responseChanges } from "./response-changes.ts";
import type { Scope } from "./scopes.ts";

/** Tenant to which a request's key and token belong. */
export interface Workspace {
  id: string;
  /** Public key, part of the `metadata` of every record. */
  apiKey: string;
  activityServiceEnabled: boolean;
  /** Whether activities can be added, but not changed or deleted. */
  activitiesImmutable: boolean;
  /** Access type of folders and documents that neither have their own nor inherit one. */
  defaultDocumentAccessType: AccessType;
  /** Whether users see only the records of whose access context they hold every pair. */
  isContextEnabled: boolean;
  /** Whether users see the email addresses of users. */
  showUserEmails: boolean;
  /** Whether web pages must call with user tokens. */
  requireJwtToken: boolean;
  /** Whether the first user token that names an organization makes the user its editor. */
  requireAutoOrgUser: boolean;
  /** Names of the enabled mail triggers; empty while the email service is off. */
  emailTriggers: readonly string[];
  commentNotifications: CommentNotifications;
  /** Times (ms) between which changes are written to the event log. Undefined if nobody has ever listened. */
  eventLog: { since: number; until: number } | undefined;
}

/** Session of a browser that has signed in and calls without a key and a token. */
export interface Session {
  id: string;
  /** Compared address of the owner, who reaches their own workspaces; null for the operator, who reaches all. */
  ownerAddress: string | null;
}

/** Dependencies of an operation. `cursor` is the position from the request's page token, as its contract types it. */
export interface Context<Cursor = unknown> {
  workspace: Workspace;
  /** Session of the caller; undefined for a caller with a key and a token. */
  session: Session | undefined;
  /** Auth token or session of the caller; undefined for a caller with a user token. */
  actor: Actor | undefined;
  /** Caller with a user token; undefined for a backend or a session, which may act for every user. */
  user: EndUser | undefined;
  database: TransactionalQueryable;
  /**
   * Runs what is read before work that takes long. With an Idempotency-Key everything else is one transaction, which
   * begins with the first statement on `database` and holds a connection from then on.
   */
  earlyReads: Queryable;
  /** Queue for work that outlives the request. */
  jobs: JobQueue;
  /** Sends mails, and holds the outbox for mails without a server. */
  mailer: Mailer;
  files: FileLinks;
  /** Value of PUBLIC_URL, if it is set. */
  publicUrl: string | undefined;
  host: Host;
  /** Header prefixes (AUTH_HEADER_BRANDS), which are also the sources of the service's own agents. */
  headerPrefixes: readonly string[];
  cursor: Cursor | undefined;
  /** Whether webhooks and token issuers may have private addresses and no TLS (ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  /** Encrypts secrets that callers store in the service. */
  secrets: Cipher;
  /** Keys that sign user tokens. */
  userTokenKeys: UserTokenKeys;
  log: Logger;
  /**
   * Adds an entry about the act of this operation to the audit log of the caller's workspace, or of those named, in the
   * transaction of the act. Requires `audit`.
   */
  audit(transaction: Queryable, target: AuditTarget, workspaceIds?: readonly string[]): Promise<void>;
  /** Clears the caches of this process, after the commit, because settings of the workspace have changed. */
  workspaceChanged(): void;
  /** The event log: who waits for events, and the cursors of readers. */
  events: EventReading;
  /** Waits without a share of the limits on concurrent requests, which the request then gives back. */
  waitOutside<Result>(waiting: Promise<Result>): Promise<Result>;
}

type PublicDependency = "database" | "jobs" | "secrets" | "userTokenKeys" | "events" | "workspaceChanged" | "audit";

/** Dependencies of a public operation, whose caller is unknown. */
export interface PublicContext extends Pick<Context, PublicDependency | "host"> {
  /**
   * Returns the workspace of credentials in the request, which then are the caller that `audit` names. Throws
   * PERMISSION_DENIED if they are wrong or lack the scope, and counts like the authentication by headers.
   */
  authenticate(credentials: { apiKey: string; authToken: string }, scope: Scope): Promise<Workspace>;
  /** IP address of the client. */
  clientAddress: string;
}

/** JSON text that is sent unparsed, as the database wrote it. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One page of a response; `next` is the cursor of the next page, absent on the last one. */
export class Page<Cursor> {
  readonly data: JsonText;
  readonly next: Cursor | undefined;

  constructor(data: JsonText, next: Cursor | undefined) {
    this.data = data;
    this.next = next;
  }
}

/** An error response that differs from the catalogue's entry for its status. */
export interface ErrorResponse {
  status: ErrorStatus;
  httpStatus: number;
  /** Says what happened and what to do about it. */
  message: string;
  /** Example of the details. */
  details: { reason: Reason; [field: string]: unknown };
}

export type OperationPath = `/v${1 | 2}/${string}`;

export type Data<Response extends TSchema | undefined> = Response extends TSchema ? Static<Response> : undefined;

/** Contract of an operation. `Path` is the union of all its paths. */
export interface Contract<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
  Cursor extends TSchema = TSchema,
> {
  /** URL path, which is also the operation's name in logs, metrics and page tokens. */
  path: Path;
  /** Date (YYYY-MM-DD) from which the operation is deprecated. The description names what to call instead. */
  deprecatedOn?: string;
  /** Further paths that behave exactly alike. */
  aliases?: Path[];
  summary: string;
  /** Markdown with what a caller must know beyond the schema. */
  description?: string;
  /** The `message` of every success. */
  message: string;
  request: Request;
  /** Schema of `result.data`; absent if the response has no `data`. */
  response?: Response;
  /** Schema of the cursor in a page token; makes the operation paged. */
  cursor?: Cursor;
  /** Names of the page token in the response; `pageToken` by default. Callers of comparable services expect either. */
  pageTokenNames?: readonly ("pageToken" | "nextPageToken")[];
  /** Whether the first page of an organization has an `eventCursor`: the events after it are what the page lacks. */
  hasEventCursor?: true;
  /** Whether the response to a user has the `accessRole` on the document, by which a page knows what to offer. */
  hasAccessRole?: true;
  /** Maximum size of a body, if it is not that of most operations. */
  maxBodyBytes?: number;
  /** Whether the fields may also be at the top level of the body, with `organizationId` beside `data`. */
  takesBareFields?: true;
  /** Whether nothing is stored, so that a repeated call does no harm, and an Idempotency-Key is ignored. */
  isTransient?: true;
  /** Whether the last page has a token of null instead of none. */
  isLastPageTokenNull?: true;
  /** Whether the work continues after the response, which is HTTP 202 with an envelope of its own (`acceptedBody`). */
  isAsynchronous?: true;
  /** Fields that name what the operation deletes or revokes, narrowest first. The console asks for a confirmation. */
  deletes?: readonly string[];
  /** Act that the operation records in the audit log when it changes something, by `context.audit`. */
  audit?: AuditAction;
  /** Statuses besides those of every operation, which src/http/openapi.ts lists. */
  errors?: (ErrorStatus | ErrorResponse)[];
  /** Records that callers may send as they were returned. */
  returned?: ReturnedRecords;
  /** How users may call the operation with a user token. Without it, only backends and sessions may. */
  endUsers?: EndUserRule;
  /** A request that succeeds on a new workspace with the activity service enabled; documentation and tests use it. */
  example: Static<Request>;
}

/** Records that callers may send as they are returned: fields that the request does not take must then be equal. */
export interface ReturnedRecords {
  by: AuthenticatedOperation;
  /** Field of the request that has the record or a list of them. The request itself is the record without it. */
  field?: string;
  /** Field with the ID of a record, and its name where it is returned, if that differs. Settings have none. */
  id?: string;
  returnedId?: string;
  /** Field of the request with the IDs that one record is for, if it has them outside of the record. */
  ids?: string;
  /** Maximum number of IDs in a request of `by`, if it has one. */
  maxIds?: number;
  /** Returns the request that reads the records with these IDs. */
  request(data: Record<string, unknown>, ids: (string | number)[]): object;
}

/** An operation whose caller is known. `handle` must only get what the schemas have accepted. */
export interface AuthenticatedOperation<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
> extends Contract<Path, Request, Response> {
  authentication?: never;
  /** Scope that the auth token of the caller must have. A session has all scopes. */
  scope: Scope;
  handle(context: Context, request: unknown): Promise<unknown>;
}

/** An operation that anybody may call. Its authentication headers are ignored. */
export interface PublicOperation<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
> extends Contract<Path, Request, Response> {
  authentication: "none";
  handle(context: PublicContext, request: unknown): Promise<unknown>;
}

/** Any operation, as the engine sees it. */
export type Operation = AuthenticatedOperation | PublicOperation;

/**
 * Defines an operation: a contract and its handler. The engine authenticates, validates `request` and opens the page
 * token before `handle` runs; `handle` returns the response data (or a Page, or JsonText) or throws a ServiceError.
 */
export function operation<
  Path extends OperationPath,
  Request extends TSchema,
  Response extends TSchema | undefined = undefined,
  Cursor extends TSchema = TSchema,
>(
  definition: Contract<Path, Request, Response, Cursor> & {
    scope: Scope;
    handle: (
      context: Context<Static<Cursor>>,
      request: Static<Request>,
    ) => Promise<Data<Response> | JsonText | Page<Static<Cursor>>>;
  },
): AuthenticatedOperation<Path, Request, Response> {
  return { ...definition, handle: withChanges(definition, definition.handle) };
}

/** Returns a handler whose responses have the URLs of files and, for users who do not see them, no emails. */
function withChanges<GivenContext extends Context, Request>(
  { endUsers, response: schema }: Pick<Contract, "endUsers" | "response">,
  handle: (context: GivenContext, request: Request) => Promise<unknown>,
): typeof handle {
  if (!schema) return handle;
  const getChange = responseChanges(schema, { isForUsers: endUsers !== undefined });
  return async (context, request) => {
    const response = await handle(context, request);
    const change = getChange(context, request);
    if (!change) return response;
    if (response instanceof Page) return new Page(new JsonText(change(response.data.text)), response.next);
    if (response instanceof JsonText) return new JsonText(change(response.text));
    return hidesEmails(context) ? new JsonText(change(JSON.stringify(response))) : response;
  };
}

type PageField = "hasEventCursor" | "hasAccessRole" | "endUsers";

/** Defines a public operation. It has no pages, because page tokens are bound to a workspace. */
export function publicOperation<
  Path extends OperationPath,
  Request extends TSchema,
  Response extends TSchema | undefined = undefined,
>(
  definition: Omit<
    Contract<Path, Request, Response>,
    "cursor" | PageField | "pageTokenNames" | "isLastPageTokenNull" | "takesBareFields"
  > & {
    authentication: "none";
    handle: (context: PublicContext, request: Static<Request>) => Promise<Data<Response>>;
  },
): PublicOperation<Path, Request, Response> {
  return definition;
}

/** Returns all paths of an operation. */
export function getPaths({ path, aliases = [] }: Operation): string[] {
  return [path, ...aliases];
}
