import type { Static, TArray, TSchema, TUnion } from "typebox";
import { COMMAND_LINE } from "../../contract/audit.ts";
import type { FileLinks } from "../../contract/file-links.ts";
import {
  type AuthenticatedOperation,
  type Context,
  JsonText,
  type OperationPath,
  Page,
  type Workspace,
} from "../../contract/operation.ts";
import type { Transaction } from "../../database/statement.ts";
import { insertAuditEntries } from "../audit/audit-queries.ts";

type Called<Request extends TSchema, Response extends TSchema> = AuthenticatedOperation<
  OperationPath,
  Request,
  Response
>;

/** What the operations of an import use of their context. */
type OperationContext = Pick<Context, "workspace" | "database" | "cursor" | "audit" | "files">;

/** An import reads and names no files: those of the exporting service are not here. */
const NO_FILES: FileLinks = {
  limits: { maxBytes: 0, maxBytesOfUser: 0, maxBytesOfOrganization: 0, maxBytesOfWorkspace: 0, types: [] },
  createUpload: () => Promise.reject(new Error("an import uploads nothing")),
  getDownload: () => ({ url: "", expiresAt: 0 }),
};

/** Runs operations for the operator, in one transaction. */
export class OperationRunner {
  readonly #transaction: Transaction;
  readonly #workspace: Workspace;

  constructor(transaction: Transaction, workspace: Workspace) {
    this.#transaction = transaction;
    this.#workspace = workspace;
  }

  /** Returns the data of the response. */
  async call<Request extends TSchema, Response extends TSchema>(
    operation: Called<Request, Response>,
    request: Static<Request>,
  ): Promise<Static<Response>> {
    return getData(operation, await operation.handle(this.#getContext(operation, undefined), request));
  }

  /** Returns the records of all pages, which are lists. */
  async readAll<Request extends TSchema, Item extends TSchema>(
    operation: Called<Request, TArray<Item>> | Called<Request, TUnion<[TArray<Item>, TSchema]>>,
    request: Static<Request>,
  ): Promise<Static<Item>[]> {
    const records: Static<Item>[] = [];
    let cursor: unknown;
    do {
      const response = await operation.handle(this.#getContext(operation, cursor), request);
      for (const record of getList(operation, response)) records.push(record);
      cursor = response instanceof Page ? response.next : undefined;
    } while (cursor !== undefined);
    return records;
  }

  #getContext({ path, audit: action }: { path: string; audit?: Called<TSchema, TSchema>["audit"] }, cursor: unknown) {
    const transaction = this.#transaction;
    const workspaceId = this.#workspace.id;
    return asContext({
      workspace: this.#workspace,
      cursor,
      files: NO_FILES,
      database: { run: (statement) => transaction.run(statement), transaction: (work) => work(transaction) },
      audit(_transaction, target) {
        if (!action) throw new Error(`${path} declares no audit action.`);
        const entry = { workspaceId, action, actor: COMMAND_LINE, clientAddress: null, target };
        return insertAuditEntries(transaction, [entry]);
      },
    });
  }
}

/** Casts the context. The operations of an import queue no jobs, send no mails and read no secrets. */
function asContext(context: OperationContext): Context {
  return context as Context;
}

/** Casts the data of a response to its type. The cast holds because operations return what their contracts say. */
function getData<Response extends TSchema>(_operation: Called<TSchema, Response>, response: unknown): Static<Response> {
  return parsedData(response) as Static<Response>;
}

/** Returns the list in a response with its type. The cast holds because the requests of an import ask for lists. */
function getList<Item extends TSchema>(
  _operation: Called<TSchema, TArray<Item>> | Called<TSchema, TUnion<[TArray<Item>, TSchema]>>,
  response: unknown,
): Static<Item>[] {
  return parsedData(response) as Static<Item>[];
}

function parsedData(response: unknown): unknown {
  const data = response instanceof Page ? response.data : response;
  return data instanceof JsonText ? JSON.parse(data.text) : data;
}
