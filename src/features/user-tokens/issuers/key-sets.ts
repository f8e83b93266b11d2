import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from "jose";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { unavailable } from "../../../contract/errors.ts";

/** Number of issuers whose keys are cached. */
const MAX_ISSUERS = 1_000;
/** Age at which keys are fetched again, so that a key which its issuer has withdrawn is soon rejected. */
const FRESH_MS = 10 * 60_000;
/** Age up to which keys serve while they cannot be fetched. */
const MAX_AGE_MS = 60 * 60_000;
/** Shortest time between two fetches of an issuer's keys, whatever keys tokens name. */
const COOLDOWN_MS = 10_000;

type FindKey = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<FindKey>>;

/** Fetches of signing keys by this process, by what became of them. */
export type KeyFetches = Record<"fetched" | "failed", number>;

interface Options {
  fetch(url: string): Promise<JSONWebKeySet>;
  /** Returns a time that only increases, in milliseconds. Tests replace it. */
  now?: () => number;
  log: Logger;
}

/** The signing keys of token issuers, which the process caches. */
export class KeySets {
  readonly counts: KeyFetches = { fetched: 0, failed: 0 };
  /** Keys by workspace, which has one issuer. One that often changes its address removes no keys of others. */
  readonly #sets = new LRUCache<string, KeySet>({ max: MAX_ISSUERS });
  readonly #options: Required<Options>;

  constructor({ now = () => performance.now(), ...options }: Options) {
    this.#options = { ...options, now };
  }

  /** Returns the keys of a workspace's issuer. Workspaces do not share them: each has its own limit on fetches. */
  get(workspaceId: string, url: string): KeySet {
    const known = this.#sets.get(workspaceId);
    if (known?.url === url) return known;
    const keySet = new KeySet({ workspaceId, url }, this.#options, this.counts);
    this.#sets.set(workspaceId, keySet);
    return keySet;
  }
}

/** The signing keys of one issuer. */
class KeySet {
  readonly url: string;
  readonly #workspaceId: string;
  readonly #options: Required<Options>;
  readonly #counts: KeyFetches;
  #keys: { find: FindKey; fetchedAt: number } | undefined;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  /** Why the last attempt has failed; undefined if it has not. */
  #problem: string | undefined;
  /** Shared by all tokens that wait for the keys. */
  #fetching: Promise<void> | undefined;

  constructor(of: { workspaceId: string; url: string }, options: Required<Options>, counts: KeyFetches) {
    this.url = of.url;
    this.#workspaceId = of.workspaceId;
    this.#options = options;
    this.#counts = counts;
  }

  /**
   * Returns the key that a token names. Fetches the keys if it is not among them. Throws UNAVAILABLE if there are no
   * keys or only old ones, and a JOSEError if the token names no key of the issuer.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const { now } = this.#options;
    const isOlder = (age: number) => !this.#keys || now() - this.#keys.fetchedAt > age;
    // Once a server does not respond, tokens do not wait for it as long as the cached keys serve.
    if (isOlder(MAX_AGE_MS) || (isOlder(FRESH_MS) && this.#problem === undefined)) await this.#refresh();
    else if (isOlder(FRESH_MS)) void this.#refresh();
    const keys = this.#keys;
    if (!keys || isOlder(MAX_AGE_MS)) {
      const message = `The signing keys of the token issuer cannot be fetched. ${this.#problem ?? ""}`;
      throw unavailable("token_issuer_unavailable", message.trimEnd());
    }
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refresh();
      if (this.#keys === keys) throw error;
      return this.#keys?.find(header, token) ?? Promise.reject(error);
    }
  }

  /** Fetches the keys, unless that was attempted a moment ago. Keeps the ones it has if that fails. */
  #refresh(): Promise<void> {
    const { now } = this.#options;
    if (this.#fetching) return this.#fetching;
    if (now() - this.#attemptedAt < COOLDOWN_MS) return Promise.resolve();
    this.#attemptedAt = now();
    this.#fetching = this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const { fetch, now, log } = this.#options;
    try {
      this.#keys = { find: createLocalJWKSet(await fetch(this.url)), fetchedAt: now() };
      this.#problem = undefined;
      this.#counts.fetched++;
    } catch (error) {
      this.#counts.failed++;
      const reason = error instanceof Error ? error.message : String(error);
      this.#problem = reason;
      log.warn({ workspaceId: this.#workspaceId, reason }, "the signing keys of a token issuer could not be fetched");
    }
  }
}
