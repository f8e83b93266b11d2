import { type Operation, pathsOf } from "../src/contract/operation.ts";
import { operations } from "../src/operations.ts";
import type { TestWorkspace } from "./harness.ts";

/** The example of an operation; of one that is about a job or a mail, with one that the workspace has. */
export async function exampleIn(workspace: TestWorkspace, path: string, example: unknown): Promise<unknown> {
  if (path === "/v2/workspace/outbox/mails/get") return { mailId: await someMailId(workspace) };
  const start = path.endsWith("/status") ? path.replace("/status", "") : undefined;
  const starting = operations.find((other) => pathsOf(other).some((one) => one === start));
  if (!starting) return example;
  const { body } = await workspace.call(starting.path, starting.example);
  return { ...Object(example), jobId: Object(body).data.jobId };
}

/** Of a mail in the outbox, which is sent where there is none. */
async function someMailId(workspace: TestWorkspace): Promise<unknown> {
  const [mail] = await workspace.data("/v2/workspace/outbox/get", {});
  if (mail) return mail.id;
  await workspace.data("/v2/workspace/email/send-test-mail", { email: "ada@example.com" });
  return someMailId(workspace);
}

/** The body of an answer without what changes by itself: figures of the whole server, and the last uses of tokens. */
export function steadyPart({ body }: { body: unknown }): unknown {
  const changing = new Set(["databaseSizeBytes", "lastUsedAt", "queuedJobs"]);
  return JSON.parse(JSON.stringify(body, (name, value) => (changing.has(name) ? undefined : value)));
}

/** What an operation's success is at the least. */
export function successOf({ message, isAsynchronous }: Operation): object {
  const success = { status: "success", message };
  if (isAsynchronous) return { httpStatus: 202, body: { ...success, statusCode: 202 } };
  return { httpStatus: 200, body: { result: success } };
}

/** What the example of an operation needs, beside its own `add`, as `/v2/crdt/add` of `/v2/crdt/update`. */
export function neededAdds(path: string): string[] {
  const own = path.replace(/[^/]+$/, "add");
  const isInAnnotation = /^\/v2\/(reactions|commentannotations\/comments)\//.test(path);
  return isInAnnotation ? ["/v2/commentannotations/add", own] : [own];
}
