import type { ApiRequest } from "../api/call.ts";

/** Makes an organization, a document and their first activity at once. */
export const FIRST_ACTIVITY: ApiRequest = {
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

export const FIRST_USER: ApiRequest = {
  path: "/v2/users/add",
  data: {
    organizationId: "acme",
    users: [{ userId: "ada", name: "Ada Lovelace", email: "ada@example.com", accessRole: "editor" }],
  },
};
