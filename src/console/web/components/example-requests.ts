import type { ApiRequest } from "../api/call.ts";

/** Adds an activity, which creates its organization and document. */
export const EXAMPLE_ACTIVITY: ApiRequest<"/v2/activities/add"> = {
  path: "/v2/activities/add",
  data: {
    organizationId: "acme",
    documentId: "contract-7",
    activities: [
      {
        featureType: "custom",
        actionType: "clause.edit",
        actionUser: { userId: "ada", name: "Ada Lovelace" },
        targetEntityId: "clause-3",
        displayMessageTemplate: "{{user}} renamed a clause",
        displayMessageTemplateData: { user: { userId: "ada", name: "Ada Lovelace" } },
      },
    ],
  },
};

export const EXAMPLE_ORGANIZATION: ApiRequest<"/v2/organizations/add"> = {
  path: "/v2/organizations/add",
  data: { organizations: [{ organizationId: "acme", organizationName: "Acme" }] },
};

export const EXAMPLE_USER: ApiRequest<"/v2/users/add"> = {
  path: "/v2/users/add",
  data: {
    organizationId: "acme",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor" }],
  },
};

export const EXAMPLE_DOCUMENT: ApiRequest<"/v2/organizations/documents/add"> = {
  path: "/v2/organizations/documents/add",
  data: { organizationId: "acme", documents: [{ documentId: "contract-7", documentName: "Contract 7" }] },
};

export const EXAMPLE_NOTIFICATION: ApiRequest<"/v2/notifications/add"> = {
  path: "/v2/notifications/add",
  data: {
    organizationId: "acme",
    documentId: "contract-7",
    actionUser: { userId: "ada", name: "Ada Lovelace" },
    notifyUsers: [{ userId: "grace", name: "Grace Hopper" }],
    displayHeadlineMessageTemplate: "{actionUser} asked you to sign {document}",
    displayHeadlineMessageTemplateData: { actionUser: { userId: "ada", name: "Ada Lovelace" }, document: "Contract 7" },
    displayBodyMessage: "Please sign by Friday.",
  },
};

export const EXAMPLE_RECORDING: ApiRequest<"/v2/recordings/add"> = {
  path: "/v2/recordings/add",
  data: {
    organizationId: "acme",
    documentId: "contract-7",
    recordings: [
      {
        displayName: "Walk through clause 3",
        from: { userId: "ada", name: "Ada Lovelace" },
        recordingType: "screen",
        attachments: [{ url: "https://files.example.com/clause-3.mp4", mimeType: "video/mp4" }],
      },
    ],
  },
};
