import { LRUCache } from "lru-cache";
import { type OrganizationKey, toOrganizationKey } from "../../../database/keys.ts";
import { EVENTS_TOPIC } from "../../event-log/event-log-queries.ts";
import { acrossOrganizations, storedOrganization } from "../../tenancy/organization-scope.ts";
import { dispatchEvents } from "./dispatching/dispatch.ts";
import {
  type DispatchedOrganization,
  selectOrganization,
  selectUndispatched,
  selectWebhookWorkspaces,
} from "./dispatching/webhook-dispatch-queries.ts";
import type { SendingDependencies } from "./sending/send.ts";
import { type SendingContext, sendDueMessages } from "./sending/send-due-messages.ts";
import { type DueTarget, selectDueTargets } from "./sending/webhook-message-queries.ts";

const MAX_ORGANIZATIONS = 10_000;

/** Work in progress. */
interface Work {
  /** Whether it is to be done once more. */
  isWoken: boolean;
  /** Called when it is to be done once more, for work that can take up more while it is in progress. */
  wake(): void;
  done: Promise<void>;
}

/**
 * Sends the events of workspaces to their webhooks: writes messages for the events of this process at once, and for
 * those of others, which may have died, within a second.
 */
export class WebhookWorker {
  readonly #context: SendingContext;
  readonly #stopping = new AbortController();
  readonly #endTopics: () => void;
  readonly #poll: NodeJS.Timeout;
  readonly #organizations = new LRUCache<string, DispatchedOrganization>({ max: MAX_ORGANIZATIONS });
  /** Workspaces in which webhooks are enabled, as of the last poll. */
  #workspaceIds: ReadonlySet<string> = new Set();
  /** Work in progress by organization or target. */
  readonly #working = new Map<string, Work>();
  #polling: Promise<void> | undefined;

  constructor(dependencies: SendingDependencies & { processId: string; pollMs: number }) {
    this.#context = {
      ...dependencies,
      signal: this.#stopping.signal,
      wake: (targets) => {
        for (const target of targets) this.#sendTo(target);
      },
    };
    this.#endTopics = dependencies.database.onTopics((topics) => {
      for (const topic of topics) {
        if (topic.startsWith(EVENTS_TOPIC)) this.#dispatch(toOrganizationKey(topic.slice(EVENTS_TOPIC.length)));
      }
    });
    this.#poll = setInterval(() => this.#look(), dependencies.pollMs).unref();
  }

  /** Ends requests in progress, which are then sent again by another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endTopics();
    clearInterval(this.#poll);
    await this.#polling;
    await Promise.all([...this.#working.values()].map(({ done }) => done));
  }

  #look(): void {
    this.#polling ??= this.#lookForEvents()
      .then(() => this.#lookForMessages())
      .catch((err: unknown) => this.#warn(err))
      .finally(() => {
        this.#polling = undefined;
      });
  }

  async #lookForEvents(): Promise<void> {
    const { database } = this.#context;
    const workspaceIds = await selectWebhookWorkspaces(database);
    this.#workspaceIds = new Set(workspaceIds);
    if (workspaceIds.length === 0) return;
    for (const key of await selectUndispatched(acrossOrganizations(database), workspaceIds)) this.#dispatch(key);
  }

  async #lookForMessages(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      for (const due of await selectDueTargets(acrossOrganizations(this.#context.database))) {
        if (!this.#working.has(workOnTarget(due))) this.#sendTo(due);
      }
    } catch (err) {
      this.#warn(err);
    }
  }

  #dispatch(organizationKey: OrganizationKey): void {
    if (this.#workspaceIds.size === 0) return;
    this.#work(`organization ${organizationKey}`, async () => {
      const { database, signal } = this.#context;
      const organization = await this.#organization(organizationKey);
      if (!organization || !this.#workspaceIds.has(organization.workspaceId)) return;
      const targets = await dispatchEvents(database, organization, signal);
      for (const target of targets) this.#sendTo({ target, workspaceId: organization.workspaceId });
    });
  }

  #sendTo(due: DueTarget): void {
    this.#work(workOnTarget(due), (untilWoken) => sendDueMessages(this.#context, due, untilWoken));
  }

  /** Does a work that is not in progress; otherwise it is done once more afterwards. */
  #work(key: string, work: (untilWoken: () => Promise<void>) => Promise<void>): void {
    const known = this.#working.get(key);
    if (known) {
      known.isWoken = true;
      known.wake();
      return;
    }
    if (this.#stopping.signal.aborted) return;
    const state: Work = { isWoken: true, wake: () => {}, done: Promise.resolve() };
    const untilWoken = () =>
      new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    this.#working.set(key, state);
    const run = async () => {
      try {
        while (state.isWoken && !this.#stopping.signal.aborted) {
          state.isWoken = false;
          await work(untilWoken);
        }
      } catch (err) {
        if (!this.#stopping.signal.aborted) this.#warn(err);
      } finally {
        this.#working.delete(key);
      }
    };
    state.done = run();
  }

  async #organization(key: OrganizationKey): Promise<DispatchedOrganization | undefined> {
    const known = this.#organizations.get(key);
    if (known) return known;
    const found = await selectOrganization(storedOrganization(this.#context.database, key));
    if (found) this.#organizations.set(key, found);
    return found;
  }

  #warn(err: unknown): void {
    this.#context.log.warn({ err }, "webhooks could not be sent; the next poll tries again");
  }
}

/** Returns the name of the work of sending to a target. */
function workOnTarget({ target }: DueTarget): string {
  return `target ${target}`;
}
