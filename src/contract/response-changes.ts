import type { TSchema } from "typebox";
import { compileEmailRemoval } from "./email-removal.ts";
import type { EndUser } from "./end-user.ts";
import type { FileLinks } from "./file-links.ts";
import { compileFileUrls } from "./file-urls.ts";

/** What decides how a response changes. */
interface Caller {
  user: EndUser | undefined;
  workspace: { id: string; showUserEmails: boolean };
  files: FileLinks;
}

/** Returns the function that changes the JSON text of the response to a request. */
type GetChange = (caller: Caller, request: unknown) => (json: string) => string;

/**
 * Returns what changes responses with a schema, whatever the operation: they get the URLs of files, and those to users
 * lose emails. It returns undefined if none can have either. The schema is compiled on first use.
 */
export function responseChanges(
  schema: TSchema,
  options: { isForUsers: boolean },
): (...call: Parameters<GetChange>) => ReturnType<GetChange> | undefined {
  let compiled: GetChange | null | undefined;
  return (caller, request) => {
    if (compiled === undefined) compiled = compile(schema, options);
    return compiled?.(caller, request);
  };
}

function compile(schema: TSchema, { isForUsers }: { isForUsers: boolean }): GetChange | null {
  const removeEmails = isForUsers ? compileEmailRemoval(schema) : null;
  const addUrls = compileFileUrls(schema);
  if (!removeEmails && !addUrls) return null;
  return (caller, request) => {
    const { organizationId } = Object(request);
    const getDownload = (fileId: string) => caller.files.getDownload(caller.workspace.id, organizationId, fileId);
    return (json) => {
      const shown = removeEmails && hidesEmails(caller) ? removeEmails(json) : json;
      return addUrls && typeof organizationId === "string" ? addUrls(shown, getDownload) : shown;
    };
  };
}

/** Returns whether the emails of users are removed from responses to a caller. */
export function hidesEmails({ user, workspace }: Pick<Caller, "user" | "workspace">): boolean {
  return user !== undefined && !workspace.showUserEmails;
}
