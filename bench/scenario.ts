import type { Api } from "../src/operations.ts";

/** A call of any operation. */
export type SeedCall = { [Path in keyof Api]: { path: Path; data: Api[Path]["request"] } }[keyof Api];

/** A statement and its parameters, which are taken from the `data` of a request. */
export interface FloorStatement<Data = unknown> {
  statement: string;
  values(data: Data): unknown[];
}

/** What the floor runs for a request. */
export type FloorWork<Data = unknown> = FloorStatement<Data> | { transaction: FloorStatement<Data>[] };

interface ScenarioOf<Path extends keyof Api> {
  name: string;
  path: Path;
  /** Headers in addition to those of authentication. */
  headers?: Record<string, string>;
  /** The `data` of requests, sent in turn. */
  requests: Api[Path]["request"][];
  /** Ratio of the service's requests per second to the floor's that the service must at least reach. */
  targetRatio: number;
  /** Number of processes of the service; 1 by default, as the floor has. */
  processes?: number;
  /** Returns the calls that fill the service's database; activitySeedCalls() by default. */
  seed?(): SeedCall[];
  /** Statements that copy the rows of the seed calls; calls would take too long for this many. */
  seedStatements?: string;
  /** Returns the calls that fill a second service, with which the first one is compared instead of the floor. */
  besideSeed?(): SeedCall[];
  floor: {
    /** Statements that create and fill the tables of an empty database. */
    setup: string;
  } & FloorWork<Api[Path]["request"]>;
}

/** A request to the service, and the plain statements with which the floor does the same work. */
export type Scenario = { [Path in keyof Api]: ScenarioOf<Path> }[keyof Api];
