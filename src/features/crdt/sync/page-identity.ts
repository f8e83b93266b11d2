import * as Y from "yjs";
import type { UpdateMeasure } from "./update-measure.ts";

/**
 * Tells whether a page has another document than its connection. A page that was offline while its document was deleted
 * and added again would otherwise bring the deleted content back.
 */
export class PageIdentity {
  /** Yjs client of the service in the document. */
  readonly #clientId: number;
  /** Whether the page has synchronized without content, or with content of this document. */
  #isKnown = false;

  constructor(clientId: number) {
    this.#clientId = clientId;
  }

  /** Receives the state vector with which a page synchronizes. */
  synchronize(stateVector: Uint8Array): void {
    const clocks = Y.decodeStateVector(stateVector);
    this.#isKnown ||= clocks.size === 0 || clocks.has(this.#clientId);
  }

  /** Returns whether an update is of another document. A page may copy other documents once it has this one. */
  isOther({ identities }: Pick<UpdateMeasure, "identities">): boolean {
    return !this.#isKnown && identities.some((clientId) => clientId !== this.#clientId);
  }
}
