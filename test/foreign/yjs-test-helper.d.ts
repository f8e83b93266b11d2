/** What the tests use of the helper of Yjs' own tests, which has no types. */
declare module "yjs/testHelper" {
  import type { Doc } from "yjs";

  /** Carries messages between documents; one with a single document carries none. */
  export class TestConnector {
    constructor(randomNumbers: object);
  }

  /** A document that records the updates that it gets. */
  export class TestYInstance extends Doc {
    constructor(connector: TestConnector, clientId: number);
  }

  /** Compares contents, structs, deletions and snapshots, also with what merging the recorded updates gives. */
  export function compare(documents: Doc[]): void;
}
