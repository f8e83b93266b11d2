import type { Static, TSchema } from "typebox";
import type { Cipher } from "../config/cipher.ts";
import type { Database } from "../database/database.ts";
import type { Mailer } from "../email/mailer.ts";
import type { JobQueue } from "../jobs/jobs.ts";
import type { ErrorStatus } from "./errors.ts";

/** The tenant that a request's key and token belong to. */
export interface Workspace {
  id: string;
  /** Public; part of the `metadata` of every record. */
  apiKey: string;
  activityServiceEnabled: boolean;
  /** Its activities can be added, but not changed or deleted. */
  activitiesImmutable: boolean;
  /** What it sends mails of; empty while its email service is off. */
  emailTriggers: readonly string[];
}

/** A browser that has signed in, and calls in place of one with a key and a token. */
export interface Session {
  id: string;
  /** As it is compared. Its workspaces are those that it owns; null: the operator's, who reaches every workspace. */
  ownerAddress: string | null;
}

/** What an operation works with. `cursor` is where the page token of the request says to go on. */
export interface Context<Cursor = undefined> {
  workspace: Workspace;
  /** Undefined for a caller with a key and a token. */
  session: Session | undefined;
  database: Database;
  /** Takes work that outlives the request. */
  jobs: JobQueue;
  /** Sends mails; has the outbox of those that no server is there for. */
  mailer: Mailer;
  /** What PUBLIC_URL says; undefined where it is not set. */
  publicUrl: string | undefined;
  cursor: Cursor | undefined;
  /** Encrypts what a caller entrusts to the service. */
  secrets: Cipher;
  /** To be called after a change to the workspace's settings is committed: this process acts on it from then on. */
  workspaceChanged(): void;
}

/** What a public operation works with: nobody is known to call. */
export interface PublicContext extends Pick<Context, "database" | "jobs" | "secrets"> {
  /** The IP address that the request comes from. */
  clientAddress: string;
}

/** JSON that goes into the answer as it is, unparsed: the database has written it already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One page of an answer; `next` is the cursor of the page behind it, absent on the last one. */
export class Page<Cursor> {
  readonly data: JsonText;
  readonly next: Cursor | undefined;

  constructor(data: JsonText, next: Cursor | undefined) {
    this.data = data;
    this.next = next;
  }
}

/** A failure that is not what the catalogue says of its status. */
export interface ErrorAnswer {
  status: ErrorStatus;
  httpStatus: number;
  /** What has happened and what to do about it. */
  message: string;
  /** An example. */
  details?: object;
}

export type OperationPath = `/v${1 | 2}/${string}`;

type Data<Response extends TSchema | undefined> = Response extends TSchema ? Static<Response> : undefined;

/** What an operation promises. `Path` is the union of all paths at which it answers. */
export interface Contract<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
  Cursor extends TSchema = TSchema,
> {
  /** Also the operation's name in logs, metrics and page tokens. */
  path: Path;
  /** Further paths that behave exactly alike. */
  aliases?: Path[];
  /** A heading of a few words. */
  summary: string;
  /** What a caller must know beyond the schema; Markdown. */
  description?: string;
  /** The `message` of every success. */
  message: string;
  /** The schema of `data`. */
  request: Request;
  /** The schema of `result.data`; absent where the answer has no `data` at all. */
  response?: Response;
  /** Makes the operation paged: the schema of the place a page token stands for. */
  cursor?: Cursor;
  /** The name of the token in the answer. */
  pageTokenName?: "pageToken" | "nextPageToken";
  /** Whether the last page has null for a token, where others have none. */
  isLastPageTokenNull?: true;
  /**
   * Whether the work goes on after the answer, which is then HTTP 202 with an envelope of its own:
   * `{ status, message, data, statusCode: 202 }`.
   */
  isAsynchronous?: true;
  /** Statuses beyond INVALID_ARGUMENT, PERMISSION_DENIED, INTERNAL and UNAVAILABLE, which every operation has. */
  errors?: (ErrorStatus | ErrorAnswer)[];
  /** A request that succeeds on a new workspace with the activity service enabled; documentation and tests use it. */
  example: Static<Request>;
}

/** An operation whose caller is known. `handle` must only get what the schemas have accepted. */
export interface AuthenticatedOperation<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
> extends Contract<Path, Request, Response> {
  authentication?: never;
  handle(context: Context<unknown>, request: unknown): Promise<unknown>;
}

/** An operation that anybody may call: no headers are asked for or looked at. */
export interface PublicOperation<
  Path extends OperationPath = OperationPath,
  Request extends TSchema = TSchema,
  Response extends TSchema | undefined = TSchema | undefined,
> extends Contract<Path, Request, Response> {
  authentication: "none";
  handle(context: PublicContext, request: unknown): Promise<unknown>;
}

/** A contract and its work. Every operation is assignable to this type, which the engine knows it by. */
export type Operation = AuthenticatedOperation | PublicOperation;

/** A request as a caller may write it: JSON leaves undefined fields out. */
type Sent<Request> = {
  [Field in keyof Request]: Request[Field] | (object extends Pick<Request, Field> ? undefined : never);
};

/** The types of `data` in the request and in the answer, by path; derived from a list of operations. */
export type ApiOf<Listed extends readonly Operation[]> = {
  [Each in Listed[number] as Each["path"]]: {
    request: Sent<Static<Each["request"]>>;
    response: Each extends Contract<OperationPath, TSchema, infer Response> ? Data<Response> : never;
  };
};

/**
 * Joins a contract to its work. The engine authenticates, validates `request` and opens the page token before
 * `handle` runs; `handle` returns the answer's data (or a Page, or JsonText) or throws a ServiceError.
 */
export function operation<
  Path extends OperationPath,
  Request extends TSchema,
  Response extends TSchema | undefined = undefined,
  Cursor extends TSchema = TSchema,
>(
  definition: Contract<Path, Request, Response, Cursor> & {
    handle(
      context: Context<Static<Cursor>>,
      request: Static<Request>,
    ): Promise<Data<Response> | JsonText | Page<Static<Cursor>>>;
  },
): AuthenticatedOperation<Path, Request, Response> {
  return definition;
}

/** Does the same for what anybody may call. It has no pages, as their tokens are bound to a workspace. */
export function publicOperation<
  Path extends OperationPath,
  Request extends TSchema,
  Response extends TSchema | undefined = undefined,
>(
  definition: Omit<Contract<Path, Request, Response>, "cursor" | "pageTokenName" | "isLastPageTokenNull"> & {
    authentication: "none";
    handle(context: PublicContext, request: Static<Request>): Promise<Data<Response>>;
  },
): PublicOperation<Path, Request, Response> {
  return definition;
}

/** All at which it answers. */
export function pathsOf({ path, aliases = [] }: Operation): string[] {
  return [path, ...aliases];
}
