import { DOCUMENT_ID } from "./tenant.ts";
import { type Stage, write } from "./write.ts";

/** Users, whom later records name or reach. */
export const USERS: Stage = {
  writes: [
    write("/v2/users/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      users: ["user", "spare", "leaving"].map((name) => ({
        ...tenant.user(`${name}-${index}`),
        note: tenant.text(name, index),
      })),
    })),
  ],
};

/** First records. Those named `spare` are deleted later. */
export const RECORDS: Stage = {
  writes: [
    write("/v2/organizations/add", (tenant, index) => ({
      organizations: ["branch", "spare"].map((name) => ({
        organizationId: `${tenant.organizationId}-${name}-${index}`,
        organizationName: tenant.text(name, index),
      })),
    })),
    write("/v2/organizations/documents/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      documents: ["document", "draft", "spare"].map((name) => ({
        documentId: `${name}-${index}`,
        documentName: tenant.text(name, index),
      })),
    })),
    write("/v2/organizations/folders/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      folders: [
        { folderId: `folder-${index}`, folderName: tenant.text("folder", index) },
        {
          folderId: `spare-${index}`,
          folderName: tenant.text("spare folder", index),
          parentFolderId: `folder-${index}`,
        },
      ],
    })),
    write("/v2/organizations/usergroups/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      organizationUserGroups: [{ groupId: `group-${index}`, groupName: tenant.text("group", index) }],
    })),
    write("/v2/auth/permissions/add", ({ organizationId }, index) => ({
      user: { userId: `viewer-${index}` },
      permissions: { resources: [{ type: "document", id: DOCUMENT_ID, organizationId, accessRole: "viewer" }] },
    })),
    write("/v2/auth/generate_token", (tenant, index) => ({
      userId: `guest-${index}`,
      userProperties: tenant.profile(`guest-${index}`),
      permissions: { resources: [{ type: "organization", id: tenant.organizationId }] },
    })),
    write("/v1/auth/token/get", (tenant, index) => ({
      apiKey: tenant.space.workspace.apiKey,
      authToken: tenant.space.workspace.authToken,
      userId: `visitor-${index}`,
      userProperties: { organizationId: tenant.organizationId, email: tenant.email(`visitor-${index}`) },
    })),
    write("/v2/presence/add", (tenant, index) => ({
      ...tenant.inDocument,
      users: ["user", "spare"].map((name) => ({ ...tenant.user(`${name}-${index}`), status: "online" as const })),
    })),
    write("/v2/presence/broadcast", (tenant, index) => ({
      ...tenant.inDocument,
      ...{ userId: `user-${index}`, connectionId: "page", data: { text: tenant.text("cursor", index) } },
    })),
    write("/v2/livestate/broadcast", (tenant, index) => ({
      ...tenant.inDocument,
      liveStateDataId: `state-${index}`,
      data: { text: tenant.text("state", index) },
    })),
    write("/v2/crdt/add", (tenant, index) => ({
      ...tenant.inDocument,
      editorId: `editor-${index}`,
      type: "text",
      data: tenant.text("editor", index),
    })),
    write("/v2/activities/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      documentId: `activities-${index % 2}`,
      activities: ["activity", "spare", undefined].map((name) => ({
        ...(name !== undefined && { id: `${name}-${index}` }),
        featureType: "custom" as const,
        actionType: `clause.edit-${index}`,
        actionUser: tenant.user("ada"),
        targetEntityId: `clause-${index}`,
        displayMessageTemplate: tenant.text(name ?? "activity without ID", index),
      })),
    })),
    write("/v2/activities/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      documentId: `old-${index}`,
      activities: ["ada", `leaving-${index}`].map((userId) => ({
        featureType: "comment" as const,
        actionType: "clause.move",
        actionUser: tenant.user(userId),
        displayMessageTemplate: tenant.text(`moved activity of ${userId}`, index),
      })),
    })),
    write("/v2/files/add", (tenant, index) => ({
      ...tenant.inDocument,
      ...{ name: `file-${index}.txt`, contentType: "text/plain", size: 1 },
    })),
    write("/v2/recordings/add", (tenant, index) => ({
      organizationId: tenant.organizationId,
      documentId: `recordings-${index % 2}`,
      recordings: ["recording", "spare"].map((name) => ({
        annotationId: `${name}-${index}`,
        from: tenant.user("ada"),
        displayName: tenant.text(name, index),
      })),
    })),
    write("/v2/notifications/add", (tenant, index) => ({
      ...tenant.inDocument,
      notificationId: `notification-${index}`,
      locationId: `page-${index}`,
      actionUser: tenant.user("ada"),
      notifyUsers: [tenant.user("grace")],
      displayHeadlineMessageTemplate: tenant.text("notification", index),
      displayBodyMessage: "",
      notifyAll: index % 2 === 0,
    })),
    write("/v2/notifications/config/set", ({ organizationId }, index) => ({
      organizationId,
      userIds: [`user-${index}`],
      documentIds: [`document-${index}`],
      config: { inbox: "MINE", email: "NONE" },
    })),
    write("/v2/commentannotations/add", (tenant, index) => ({
      ...tenant.inDocument,
      commentAnnotations: ["annotation", "spare"].map((name) => ({
        annotationId: `${name}-${index}`,
        location: { id: `page-${index}`, locationName: tenant.text("page", index) },
        commentData: [
          {
            commentId: 1,
            commentText: tenant.text(`comment of ${name}`, index),
            from: tenant.user("ada"),
            taggedUserContacts: [{ text: "@grace", userId: "grace", contact: tenant.user("grace") }],
            triggerNotification: true,
            triggerActivities: true,
          },
        ],
      })),
    })),
  ],
};
