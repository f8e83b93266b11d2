import type { RequestData, ResponseData } from "../../api/call.ts";
import type { AccessType } from "../../components/access-type.ts";

export type AccessConfig = ResponseData<"/v2/workspace/apikeyconfig/get">;
export type AccessChanges = RequestData<"/v2/workspace/apikeyconfig/update">;
type VersionSetting = "automaticVersionMinutes" | "automaticVersionDays";
/** State of the form: every setting of access that can be changed. */
export type AccessForm = Required<Omit<AccessChanges, VersionSetting>>;
type SwitchName = Exclude<keyof AccessForm, "defaultDocumentAccessType">;

interface Switch {
  label: string;
  description: string;
  /** What happens when it is turned on or off. */
  effects: { on: string; off: string };
}

/** What each default access type means, and what a change to it does. */
export const DEFAULT_ACCESS_TYPES: Record<AccessType, { description: string; effect: string }> = {
  public: {
    description:
      "Every user of the workspace, of any organization, can read and write, except those with a lower role.",
    effect: "Every user, of any organization, can read and write documents without an access type of their own.",
  },
  organizationPrivate: {
    description: "Users need a permission on the organization, or on the folder or document.",
    effect:
      "Only users with a permission on the organization, on the folder or on the document have access to documents " +
      "without an access type of their own.",
  },
  restricted: {
    description: "Users need a permission on the folder or document. One on the organization does not suffice.",
    effect:
      "Only users with a permission on the folder or on the document have access to documents without an access type " +
      "of their own. Users with a permission on the organization alone have none.",
  },
};

/** The switches, in the order of the form. */
export const SWITCHES: Record<SwitchName, Switch> = {
  requireJwtToken: {
    label: "Pages must use user tokens",
    description: "Rejects auth tokens in requests from web pages. Backends and this console are not affected.",
    effects: {
      on: "Pages that call with an auth token stop working. They need a user token from your backend.",
      off: "Pages can call with an auth token, with which their visitors can do everything in this workspace.",
    },
  },
  requireAutoOrgUser: {
    label: "Tokens make users editors of their organizations",
    description:
      "A user token with access to an organization makes the user its editor for good, unless the user has had a " +
      "permission on it before.",
    effects: {
      on: "Each new user token makes its user an editor of the organizations that it names, whatever its role.",
      off: "New user tokens make nobody an editor. Users who became editors remain editors.",
    },
  },
  isContextEnabled: {
    label: "Limit threads by access context",
    description: "Shows a thread with an access context only to users whose tokens have all of its fields and values.",
    effects: {
      on: "Annotations with an access context disappear for users who lack one of its pairs, their own included.",
      off: "Users see all annotations of the documents that they can read, whatever their access context.",
    },
  },
  showUserEmails: {
    label: "Show email addresses to users",
    description: "Returns the addresses of authors and other users to requests with user tokens.",
    effects: {
      on: "Users see the email addresses of everyone who writes, reacts or is named in their documents.",
      off: "Users see names and pictures, but no email addresses. Backends, mails and this console have them.",
    },
  },
  enablePrivateComments: {
    label: "Private comments",
    description: "A note for your own client. The service stores it, and hides private comments in any case.",
    effects: {
      on: "Your client reads that private comments are on. The service itself does nothing else.",
      off: "Your client reads that private comments are off. Comments that are private remain private.",
    },
  },
};

export const SWITCH_NAMES = Object.keys(SWITCHES).filter((name): name is SwitchName => name in SWITCHES);

/** Returns the form for the stored settings. */
export function toForm(config: AccessConfig): AccessForm {
  const { defaultDocumentAccessType, requireJwtToken, requireAutoOrgUser, isContextEnabled, showUserEmails } = config;
  const switches = { requireJwtToken, requireAutoOrgUser, isContextEnabled, showUserEmails };
  return { defaultDocumentAccessType, ...switches, enablePrivateComments: config.isPrivateCommentsEnabled };
}

/** Returns the settings that the form changes. */
export function getChanges(form: AccessForm, config: AccessConfig): AccessChanges {
  const stored: Record<string, unknown> = toForm(config);
  return Object.fromEntries(Object.entries(form).filter(([name, value]) => stored[name] !== value));
}

/** Returns what the changes mean for users, a sentence or two for each. */
export function getEffects({ defaultDocumentAccessType, ...switches }: AccessChanges): string[] {
  const type = defaultDocumentAccessType && DEFAULT_ACCESS_TYPES[defaultDocumentAccessType].effect;
  const effects = SWITCH_NAMES.flatMap((name) => {
    const isOn = switches[name];
    return isOn === undefined ? [] : [SWITCHES[name].effects[isOn ? "on" : "off"]];
  });
  return type === undefined ? effects : [type, ...effects];
}
