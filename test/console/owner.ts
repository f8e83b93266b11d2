import { registerCleanup } from "../cleanup.ts";
import { startTestService, type TestWorkspace } from "../harness.ts";
import { ownedWorkspace, signIn } from "../sessions.ts";
import { lastingVisitor, type Visitor } from "./visitor.ts";

const EMAIL = "owner@console.example";

let sharedOwner: Promise<Visitor> | undefined;

/**
 * Creates a workspace of the owner whose page all tests of a worker share, and opens it for the current test. The
 * console stays loaded and signed in, which takes a fifth of the processor time of a new visitor.
 */
export async function enterNewWorkspace(
  options: { activityServiceEnabled?: boolean } = {},
): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const workspace = await newWorkspace(options);
  const owner = await enterWorkspace(workspace);
  registerCleanup(() => owner.rest());
  return { workspace, owner };
}

/** Creates a workspace of the shared owner. */
export async function newWorkspace(options: { activityServiceEnabled?: boolean } = {}): Promise<TestWorkspace> {
  return ownedWorkspace(await startTestService(), EMAIL, options);
}

/** Opens a workspace of `newWorkspace` in the shared page. Call `rest` at the end. */
export async function enterWorkspace({ id }: TestWorkspace): Promise<Visitor> {
  sharedOwner ??= signInOwner();
  const owner = await sharedOwner;
  await owner.enter(id);
  return owner;
}

async function signInOwner(): Promise<Visitor> {
  const service = await startTestService();
  const { cookie } = await signIn(service, EMAIL);
  return lastingVisitor(service, { cookie, permissions: ["clipboard-read", "clipboard-write"] });
}
