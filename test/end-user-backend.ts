import { expect } from "vitest";
import { enableContext, grantPairs, removePairs } from "./access-context.ts";
import { type EndUserModel, type Pair, ROLES, type Role, type Visibility } from "./end-user-model.ts";
import { addActivities } from "./factories.ts";
import type { TestWorkspace } from "./harness.ts";
import { grant, removeGrant } from "./permissions.ts";
import type { Random } from "./random.ts";
import { callWith, tokenFor } from "./user-tokens.ts";

/** The users, with the role that each has in both organizations at first. The last ones have none. */
const FIRST_ROLES = new Map<string, Role | undefined>([
  ["ada", "moderator"],
  ["grace", "editor"],
  ["kurt", "commenter"],
  ["mary", "viewer"],
  ["alan", undefined],
  ["joan", undefined],
]);
export const USERS = [...FIRST_ROLES.keys()];
export const ORGANIZATIONS = ["acme", "globex"];
export const DOCUMENTS = ["1", "2", "3"];
const TYPES = ["public", "organizationPrivate", "restricted"] as const;
const PAIRS: readonly Pair[] = ["team:x", "team:y"];

/** The backend of a workspace, which changes at random what its users may see, in the service and in the model. */
export class BackendOfWalk {
  readonly #address: string;
  readonly #workspace: TestWorkspace;
  readonly #model: EndUserModel;
  readonly #random: Random;
  readonly #tokens = new Map<string, string>();
  #notified = 0;

  constructor(address: string, workspace: TestWorkspace, model: EndUserModel, random: Random) {
    this.#address = address;
    this.#workspace = workspace;
    this.#model = model;
    this.#random = random;
  }

  async start(): Promise<void> {
    for (const organizationId of ORGANIZATIONS) {
      const documents = DOCUMENTS.map((documentId) => ({ documentId }));
      await this.#workspace.data("/v2/organizations/documents/add", { organizationId, documents });
      for (const documentId of [...DOCUMENTS, ...DOCUMENTS]) {
        await addActivities(this.#workspace, [{ targetEntityId: documentId, featureType: "reaction" }], {
          ...{ organizationId, documentId },
        });
      }
    }
    for (const [user, role] of FIRST_ROLES) {
      await this.#renewToken(user);
      if (!role) continue;
      for (const organizationId of ORGANIZATIONS) await this.#grant(user, organizationId, "organization", role);
    }
  }

  getToken(user: string): string {
    return this.#tokens.get(user) ?? "";
  }

  async step(): Promise<void> {
    const [access, visibility] = [this.#changeAccess, this.#changeVisibility];
    await this.#random.one([access, access, access, visibility, this.#changePairs, this.#notify]).call(this);
  }

  async #changeAccess(): Promise<void> {
    const [organizationId, documentId, user] = [
      this.#random.one(ORGANIZATIONS),
      this.#random.one(DOCUMENTS),
      this.#random.one(USERS),
    ];
    const resource = this.#random.chance(0.5) ? "organization" : `document ${documentId}`;
    const key = `${user} ${organizationId} ${resource}`;
    const choice = this.#random.integer(0, 5);
    if (choice === 0) {
      const type = this.#random.one(TYPES);
      await this.#workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: type });
      this.#model.defaultType = type;
    } else if (choice === 1) {
      const accessType = this.#random.one(TYPES);
      const request = { organizationId, documentIds: [documentId], accessType };
      await this.#workspace.data("/v2/organizations/documents/access/update", request);
      this.#model.types.set(`${organizationId} ${documentId}`, accessType);
    } else if (choice === 2) {
      await this.#grant(user, organizationId, resource, this.#random.one(ROLES));
    } else if (choice === 3) {
      const expiresAt = Math.floor(Date.now() / 1000) - 1;
      await grant(this.#workspace, user, resource, "editor", { organizationId, expiresAt });
      this.#model.stored.delete(key);
    } else if (choice === 4) {
      await removeGrant(this.#workspace, user, resource, organizationId);
      this.#model.stored.delete(key);
      this.#model.tokens.delete(key);
    } else {
      await this.#workspace.data("/v2/auth/tokens/revoke", { userIds: [user] });
      const old = this.getToken(user);
      const response = await callWith(old, `${this.#address}/v2/activities/get`, { organizationId, documentId });
      expect(response).toMatchObject({
        httpStatus: 403,
        body: { error: { details: { reason: "user_token_revoked" } } },
      });
      await this.#renewToken(user);
    }
  }

  async #grant(user: string, organizationId: string, resource: string, role: Role): Promise<void> {
    await grant(this.#workspace, user, resource, role, { organizationId });
    this.#model.stored.set(`${user} ${organizationId} ${resource}`, role);
  }

  /** Gives the user a token with one random grant, which may have expired. */
  async #renewToken(user: string): Promise<void> {
    const [organizationId, accessRole, id] = [
      this.#random.one(ORGANIZATIONS),
      this.#random.one(ROLES),
      this.#random.one(DOCUMENTS),
    ];
    const isOrganization = this.#random.chance(0.5);
    for (const key of this.#model.tokens.keys()) if (key.startsWith(`${user} `)) this.#model.tokens.delete(key);
    const resource = isOrganization ? "organization" : `document ${id}`;
    const isExpired = this.#random.chance(0.2);
    this.#model.tokens.set(`${user} ${organizationId} ${resource}`, isExpired ? "expired" : accessRole);
    const granted = {
      ...(isOrganization
        ? { type: "organization" as const, id: organizationId, accessRole }
        : { type: "document" as const, id, organizationId, accessRole }),
      ...(isExpired && { expiresAt: 1 }),
    };
    this.#tokens.set(user, await tokenFor(this.#workspace, user, { resources: [granted] }));
  }

  async #changeVisibility(): Promise<void> {
    if (this.#model.annotations.length === 0) return;
    const annotation = this.#random.one(this.#model.annotations);
    const { id, organizationId, documentId } = annotation;
    const visibility = anyVisibility(this.#random);
    await this.#workspace.data("/v2/commentannotations/update", {
      ...{ organizationId, documentId, annotationIds: [id] },
      updatedData: visibilityField(visibility, annotation),
    });
    annotation.visibility = visibility;
  }

  async #changePairs(): Promise<void> {
    const [user, organizationId, pair] = [
      this.#random.one(USERS),
      this.#random.one(ORGANIZATIONS),
      this.#random.one(PAIRS),
    ];
    const access = getAccess(pair);
    if (this.#random.chance(0.4)) {
      this.#model.isContextEnabled = !this.#model.isContextEnabled;
      await enableContext(this.#workspace, this.#model.isContextEnabled);
    } else if (this.#random.chance(0.6)) {
      await grantPairs(this.#workspace, user, access, { organizationId });
      this.#model.pairs.add(`${user} ${organizationId} ${pair}`);
    } else {
      await removePairs(this.#workspace, user, access, organizationId);
      this.#model.pairs.delete(`${user} ${organizationId} ${pair}`);
    }
  }

  /** Notifies some of the users of a document. */
  async #notify(): Promise<void> {
    const [id, organizationId, documentId] = [
      `notification-${++this.#notified}`,
      this.#random.one(ORGANIZATIONS),
      this.#random.one(DOCUMENTS),
    ];
    const recipients = USERS.filter(() => this.#random.chance(0.5));
    const pair = anyPair(this.#random);
    await this.#workspace.data("/v2/notifications/add", {
      ...{ organizationId, documentId, notificationId: id, notifyAll: false, ...contextFields(pair) },
      notifyUsers: recipients.map((userId) => ({ userId })),
      actionUser: { userId: "emmy" },
      displayHeadlineMessageTemplate: "{actionUser} asks",
      displayBodyMessage: "Sign, please.",
    });
    this.#model.notifications.push({ id, organizationId, documentId, recipients, pair });
  }
}

export function anyVisibility(random: Random): Visibility {
  const type = random.one(["public", "public", "organizationPrivate", "restricted"] as const);
  return type === "restricted" ? { type, userIds: [random.one(USERS)] } : { type };
}

export function anyPair(random: Random): Pair | undefined {
  return random.chance(0.2) ? random.one(PAIRS) : undefined;
}

/** Returns the field of an annotation in the organization. */
export function visibilityField(visibility: Visibility, { organizationId }: { organizationId: string }) {
  return {
    visibility: visibility.type === "organizationPrivate" ? { type: visibility.type, organizationId } : visibility,
  };
}

function getAccess(pair: Pair): { team: string } {
  return { team: pair.slice("team:".length) };
}

/** Returns the fields of a record that only users with the pair see, if one is given. */
export function contextFields(pair: Pair | undefined) {
  return pair ? { context: { access: getAccess(pair) } } : {};
}
