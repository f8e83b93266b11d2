import { expect, test, vi } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { exportUser } from "./export-user.ts";

interface Request {
  organizationId?: string;
  pageToken?: string;
}

const ORGANIZATIONS: Record<string, { data: string[]; pageToken?: string }> = {
  first: { data: ["b", "leaving"], pageToken: "second" },
  second: { data: ["a"] },
};
const STORED: Record<string, Record<string, { data: object; pageToken?: string }>> = {
  a: {
    first: { data: { activities: [{ id: 1 }], comments: [] }, pageToken: "second" },
    second: { data: { activities: [{ id: 2 }], comments: [{ id: 3 }] } },
  },
  b: { first: { data: { activities: [], comments: [] } } },
};

async function read(path: string, { organizationId = "", pageToken = "first" }: Request): Promise<never> {
  if (organizationId === "leaving") {
    const details = { reason: "organization_being_deleted" } as const;
    throw new ApiError("FAILED_PRECONDITION", "It is being deleted.", { details });
  }
  return asRead(
    path === "/v2/users/data/organizations/get" ? ORGANIZATIONS[pageToken] : STORED[organizationId]?.[pageToken],
  );
}

/** Casts a response, since the two tables contain the responses of the two operations. */
function asRead(response: object | undefined): never {
  return response as never;
}

test("an export contains all pages of all organizations and lists those that could not be read", async () => {
  const onProgress = vi.fn();
  expect(await exportUser({ userId: "ada", read, onProgress })).toEqual([
    { organizationId: "a", data: { activities: [{ id: 1 }, { id: 2 }], comments: [{ id: 3 }] } },
    { organizationId: "leaving", error: "It is being deleted." },
  ]);
  expect(onProgress.mock.calls[0]).toEqual([{ total: 3, completed: 0, organizations: 0, records: 0, unreadable: 0 }]);
  expect(onProgress).toHaveBeenLastCalledWith({ total: 3, completed: 3, organizations: 1, records: 3, unreadable: 1 });
});

test("a canceled export stops reading", async () => {
  const counted = vi.fn(async (path: string, request: Request): Promise<never> => {
    if (path === "/v2/users/data/get") throw new DOMException("It was canceled.", "AbortError");
    return read(path, request);
  });
  await expect(exportUser({ userId: "ada", read: counted, onProgress: () => {} })).rejects.toThrow("canceled");
  const organizations = counted.mock.calls.filter(([path]) => path === "/v2/users/data/get");
  expect(organizations.length).toBeLessThanOrEqual(4);
});

test("an export fails if a page cannot be read", async () => {
  const failing = async (path: string, request: Request): Promise<never> => {
    if (request.pageToken === "second") throw new ApiError("UNAVAILABLE", "The service is overloaded.");
    return read(path, request);
  };
  await expect(exportUser({ userId: "ada", read: failing, onProgress: () => {} })).rejects.toThrow("overloaded");
});
