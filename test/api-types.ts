/**
 * Type tests, checked by `npm run check` and never run: a call that does not match its contract must not compile. If
 * one compiles, the compiler reports its `@ts-expect-error` as unused.
 */
import Type from "typebox";
import type { RunningService } from "../bench/service.ts";
import { call, type Service } from "../examples/client.ts";
import type { ApiOf } from "../src/contract/api.ts";
import { type Context, operation } from "../src/contract/operation.ts";
import type { TestWorkspace } from "./harness.ts";
import type { TestSession } from "./sessions.ts";

const CONTRACT = {
  path: "/v2/paints/get",
  summary: "",
  message: "",
  scope: "read",
  request: Type.Object({ color: Type.String(), pageSize: Type.Optional(Type.Integer()) }),
  response: Type.Array(Type.Object({ name: Type.String() })),
  example: { color: "red" },
} as const;
const paints = operation({
  ...CONTRACT,
  aliases: ["/v1/paints/get"],
  handle: async (_context, { color }) => [{ name: color }],
});
const renamedPaints = operation({
  ...CONTRACT,
  request: Type.Object({ tint: Type.String() }),
  response: Type.Array(Type.Object({ title: Type.String() })),
  example: { tint: "red" },
  handle: async (_context, { tint }) => [{ title: tint }],
});
type Before = ApiOf<[typeof paints]>;
type After = ApiOf<[typeof renamedPaints]>;

/** A caller of the contract. It compiles only if every field still has its name. */
function read(_request: Before["/v2/paints/get"]["request"]): Before["/v2/paints/get"]["response"] {
  return [{ name: "red" }];
}

export function checkRenamedFields(request: After["/v2/paints/get"]["request"]): void {
  const sameUnderAlias: Before["/v1/paints/get"]["request"] = { color: "red", pageSize: undefined };
  read(sameUnderAlias);
  // @ts-expect-error The field `color` of the request has another name.
  read(request);
  // @ts-expect-error The field `name` of the response has another name.
  const response: After["/v2/paints/get"]["response"] = read({ color: "red" });
  response.at(0);
  // @ts-expect-error No operation has this path.
  type _Unlisted = After["/v1/paints/get"];
}

async function requiresTint(_context: Context, { tint }: { color: string; tint: string }) {
  return [{ name: tint }];
}

async function requiresPageSize(_context: Context, { pageSize }: { color: string; pageSize: number }) {
  return [{ name: `${pageSize}` }];
}

export function handlersOutsideTheirContracts(): void {
  operation({ ...CONTRACT, handle: async () => [{ name: "red" }] });
  // @ts-expect-error The handler returns what the response does not promise.
  operation({ ...CONTRACT, handle: async () => [{ title: "red" }] });
  // @ts-expect-error The handler reads a field that the request does not have.
  operation({ ...CONTRACT, handle: async (_, { tint }) => [{ name: tint }] });
  // @ts-expect-error The example is not a valid request.
  operation({ ...CONTRACT, example: { tint: "red" }, handle: async () => [{ name: "red" }] });
  // @ts-expect-error The handler requires a field that the request does not have.
  operation({ ...CONTRACT, handle: requiresTint });
  // @ts-expect-error The handler requires a field that may be absent.
  operation({ ...CONTRACT, handle: requiresPageSize });
  operation({ ...CONTRACT, cursor: Type.Array(Type.Integer()), handle: async (_: Context<number[]>) => [] });
  // @ts-expect-error The handler reads a cursor of another type.
  operation({ ...CONTRACT, cursor: Type.Array(Type.Integer()), handle: async (_: Context<string[]>) => [] });
  // @ts-expect-error The handler reads a cursor, but the operation has no pages.
  operation({ ...CONTRACT, handle: async (_: Context<number[]>) => [] });
}

export async function checkTestCalls(workspace: TestWorkspace, session: TestSession): Promise<void> {
  const [activity] = await workspace.data("/v2/activities/get", { organizationId: "acme" });
  // @ts-expect-error An activity has no such field.
  activity?.time;
  // @ts-expect-error The request has no such field.
  await workspace.data("/v2/activities/get", { organizationId: "acme", documentIds: ["contract-7"] });
  // @ts-expect-error A required field is missing.
  await workspace.result("/v2/activities/get", {});
  // @ts-expect-error The value is none of those that the contract lists.
  await session.data("/v2/activities/get", { organizationId: "acme", order: "newest" });
  // @ts-expect-error No operation has this path.
  await workspace.data("/v2/activities/read", {});
}

export async function checkExampleAndBenchCalls(service: Service, { call: callBench }: RunningService) {
  const { data } = await call(service, "/v2/organizations/get", { pageSize: 1 });
  // @ts-expect-error An organization has no such field.
  data[0]?.organizationId;
  // @ts-expect-error The request has no such field.
  await call(service, "/v2/organizations/get", { size: 1 });
  const [record] = await callBench("/v2/activities/get", { organizationId: "acme" });
  // @ts-expect-error An activity has no such field.
  record?.time;
  // @ts-expect-error The request has no such field.
  await callBench("/v2/activities/get", { organizationId: "acme", size: 1 });
}
