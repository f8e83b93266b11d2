import { expect, test } from "vitest";
import { takesIdempotencyKey } from "../src/http/idempotency-key.ts";
import { operations } from "../src/operations.ts";
import { exampleIn, expectedSuccess, preparedWorkspace } from "./examples.ts";
import { startOwnTestService } from "./harness.ts";

// An operation that needed a second connection within its transaction would fail.
const service = await startOwnTestService(() => ({ databasePoolMax: 1 }));

test.each(operations.filter(takesIdempotencyKey))(
  "$path is carried out once with a key, on one connection",
  async (operation) => {
    const { path, example } = operation;
    const workspace = await preparedWorkspace(service, path);
    const request = await exampleIn(workspace, path, example);
    const key = { "idempotency-key": "once" };
    const first = await workspace.call(path, request, key);
    expect(first).toMatchObject(expectedSuccess(operation));
    // Resetting a token ends the one that was used.
    const { token } = Object(Object(first.body).result?.data?.newAuthToken);
    const again = await workspace.call(path, request, token ? { ...key, "x-service-auth-token": token } : key);
    expect(again).toMatchObject({ httpStatus: first.httpStatus, body: first.body });
    expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  },
);
