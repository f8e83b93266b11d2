import { expect } from "vitest";
import type { Database } from "../src/database/database.ts";
import type { Api } from "../src/operations.ts";
import { containsAny, readRows } from "./database-rows.ts";
import { eventually } from "./eventually.ts";
import type { TestWorkspace } from "./harness.ts";
import { runSql } from "./run-sql.ts";

type Status = Api["/v1/users/data/delete/status"]["response"];
type Accepted = Api["/v1/users/data/delete"]["response"];

/** Starts the deletion of the users' data. Returns the `data` of the response. */
export async function deleteUserData(workspace: TestWorkspace, userIds: string[], organizationIds?: string[]) {
  const { httpStatus, body } = await workspace.call("/v1/users/data/delete", { userIds, organizationIds });
  expect({ httpStatus, body }).toEqual({
    httpStatus: 202,
    body: {
      status: "success",
      message: expect.any(String),
      data: { jobId: expect.any(String), tasksCount: expect.any(Number) },
      statusCode: 202,
    },
  });
  return getData(body);
}

/** Casts the body, which the caller has compared as a whole. */
function getData(body: unknown): Accepted {
  return (body as { data: Accepted }).data;
}

export function readStatus(workspace: TestWorkspace, jobId: string): Promise<Status> {
  return workspace.data("/v1/users/data/delete/status", { jobId });
}

/** Resolves with the status when the job is done. */
export function untilDeletionDone(workspace: TestWorkspace, jobId: string): Promise<Status> {
  return eventually(async () => {
    const status = await readStatus(workspace, jobId);
    expect(status).toMatchObject({ isDeleteCompleted: true, tasksLeft: 0 });
    return status;
  });
}

/** Deletes the users' data and waits until the job is done. */
export async function deleteUserDataAndWait(workspace: TestWorkspace, userIds: string[], organizationIds?: string[]) {
  const { jobId } = await deleteUserData(workspace, userIds, organizationIds);
  return untilDeletionDone(workspace, jobId);
}

/**
 * Returns the rows of all tables, including the job queue, that contain one of the texts. Ignores case and the user
 * IDs in the list of deletions.
 */
export async function findRowsContaining(database: Database, texts: string[]): Promise<string[]> {
  const jobs = await runSql<{ text: string }>(
    database,
    `select text from (select 'job ' || job::text as text from pgboss.job) as rows where ${containsAny("$1::text[]")}`,
    [texts],
  );
  const filters = { excludedTables: [], excludedColumns: ["user_ids"], containing: texts };
  return [...(await readRows(database, filters)), ...jobs.map(({ text }) => text)];
}
