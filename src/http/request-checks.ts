import type { FastifyRequest } from "fastify";
import type { Operation, Workspace } from "../contract/operation.ts";
import { isObject } from "../json/is-object.ts";
import { compileEndUserRule, type EndUserChecks, type FindRoles } from "./end-user-rule.ts";
import { requireUnexpired } from "./user-token-authentication.ts";
import { bareFieldsInData, compileValidation, type InvalidValue, type Validation } from "./validation.ts";

/** Checks the requests of an operation. */
export class RequestChecks {
  readonly #operation: Operation;
  readonly #findRoles: FindRoles;
  // Compiled on first use; compiling all operations would add 0.1 s to a start, and 0.2 s in tests.
  #validate: Validation | undefined;
  #endUserChecks: EndUserChecks | undefined;

  constructor(operation: Operation, findRoles: FindRoles) {
    this.#operation = operation;
    this.#findRoles = findRoles;
  }

  /** Returns the valid data of a body. If the caller is a user, `authorize` must follow. */
  validate(request: FastifyRequest, sent: unknown): object {
    const validate = this.#getValidation();
    const body = this.#getBody(sent);
    const { user } = request;
    if (!user) return validate(body);
    this.#rule().prepare(body, user);
    return validate(body);
  }

  /** Returns the data of a request, and the function that returns what is invalid in it. */
  inspect(request: FastifyRequest): { data: Record<string, unknown>; findInvalid: () => InvalidValue[] } | undefined {
    const body = this.#getBody(request.body);
    const data = isObject(body) ? body.data : undefined;
    if (!isObject(data)) return undefined;
    const ofUser = () => (request.user ? this.#rule().findInvalid(data) : []);
    return { data, findInvalid: () => [...ofUser(), ...this.#getValidation().findInvalid(data)] };
  }

  #getValidation(): Validation {
    this.#validate ??= compileValidation(this.#operation.request);
    return this.#validate;
  }

  #getBody(sent: unknown): unknown {
    return this.#operation.takesBareFields ? bareFieldsInData(sent) : sent;
  }

  /**
   * Throws unless the caller, if it is a user, has the role that the operation needs on what valid data name. Sets the
   * role in the request.
   */
  async authorize(request: FastifyRequest, data: object): Promise<void> {
    const { user } = request;
    if (!user) return;
    requireUnexpired(user);
    request.accessRole = await this.#rule().authorize(data, { workspace: getWorkspace(request), user });
  }

  /** Returns the number of records that the valid data of a user's request add, 0 if the operation does not say. */
  countAdded(data: object): number {
    return this.#rule().countAdded(data);
  }

  #rule(): EndUserChecks {
    const { authentication, endUsers } = this.#operation;
    if (authentication === "none" || !endUsers) throw new Error("no user may call");
    this.#endUserChecks ??= compileEndUserRule(endUsers, this.#findRoles);
    return this.#endUserChecks;
  }
}

/** Returns the workspace of a request whose caller is known. */
export function getWorkspace({ workspace }: FastifyRequest): Workspace {
  if (!workspace) throw new Error("a request came past its authentication");
  return workspace;
}
