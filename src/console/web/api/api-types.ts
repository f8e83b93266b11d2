/**
 * Type tests, checked by `npm run check` and never run: a call that does not match its contract must not compile. If
 * one compiles, the compiler reports its `@ts-expect-error` as unused.
 */
import type { ApiError } from "./api-error.ts";
import { type AnyApiRequest, call } from "./call.ts";
import { useApiMutation, useApiQuery } from "./use-api.ts";

export function UnmatchedHooks(): void {
  const { query } = useApiQuery("/v2/organizations/get", { pageSize: 1 });
  // @ts-expect-error An organization has no such field.
  query.data?.data[0]?.organizationId;
  // @ts-expect-error The request has no such field.
  useApiQuery("/v2/organizations/get", { size: 1 });
  const { mutate, data } = useApiMutation("/v2/workspace/authtokens/add");
  // @ts-expect-error The response has no such field.
  data?.data.token;
  // @ts-expect-error A required field is missing.
  mutate({});
}

export async function unmatchedCalls(): Promise<void> {
  const { data } = await call({ path: "/v2/organizations/get", data: { pageSize: 1 } });
  // @ts-expect-error An organization has no such field.
  data[0]?.organizationId;
  // @ts-expect-error The request is that of another operation.
  await call({ path: "/v2/organizations/get", data: { organizationId: "acme", documentId: "contract-7" } });
}

export function unmatchedReasons({ details }: ApiError): unknown[] {
  return [
    // @ts-expect-error The catalogue has no such reason.
    details?.reason === "session_over",
    // @ts-expect-error Errors with this reason have no such field.
    details?.reason === "session_ended" && details.organizationId,
  ];
}

// @ts-expect-error The request is that of another operation.
export const REQUEST: AnyApiRequest = { path: "/v2/organizations/get", data: { userIds: ["ada"] } };
