import { type Stage, write } from "./write.ts";

const ANNOTATIONS = "/v2/commentannotations";

/** Changes of the first records, and records that belong to them. */
export const CHANGES: Stage = {
  writes: [
    write("/v2/organizations/update", (tenant, index) => ({
      organizations: [
        { organizationId: tenant.organizationId, organizationName: tenant.text("organization", 0) },
        { organizationId: `${tenant.organizationId}-branch-${index}`, plan: tenant.text("plan", index) },
      ],
    })),
    write("/v2/organizations/documents/update", (tenant, index) => ({
      organizationId: tenant.organizationId,
      documents: [{ documentId: `document-${index}`, documentName: tenant.text("changed document", index) }],
    })),
    write("/v2/organizations/folders/update", (tenant, index) => ({
      organizationId: tenant.organizationId,
      folders: [{ folderId: `folder-${index}`, folderName: tenant.text("changed folder", index) }],
    })),
    write("/v2/organizations/documents/move", ({ organizationId }, index) => ({
      organizationId,
      documentIds: [`document-${index}`],
      folderId: `folder-${index}`,
    })),
    write("/v2/users/update", (tenant, index) => ({
      organizationId: tenant.organizationId,
      users: [{ userId: `user-${index}`, note: tenant.text("changed user", index) }],
    })),
    write("/v2/organizations/usergroups/users/add", ({ organizationId }, index) => ({
      organizationId,
      organizationUserGroupId: `group-${index}`,
      userIds: [`user-${index}`, `leaving-${index}`, "grace"],
    })),
    write("/v2/crdt/update", (tenant, index) => ({
      ...tenant.inDocument,
      editorId: `editor-${index}`,
      type: "text",
      data: tenant.text("changed content", index),
      userId: `user-${index}`,
    })),
    write("/v2/activities/update", (tenant, index) => ({
      organizationId: tenant.organizationId,
      activities: [{ id: `activity-${index}`, entityData: tenant.text("changed activity", index) }],
    })),
    write("/v2/recordings/update", (tenant, index) => ({
      organizationId: tenant.organizationId,
      recordings: [{ annotationId: `recording-${index}`, displayName: tenant.text("changed recording", index) }],
    })),
    write("/v1/notifications/update", (tenant, index) => ({
      ...tenant.inDocument,
      notifications: [{ id: `notification-${index}`, displayBodyMessage: tenant.text("changed notification", index) }],
    })),
    write(`${ANNOTATIONS}/comments/add`, (tenant, index) => ({
      ...tenant.inDocument,
      annotationId: `annotation-${index}`,
      commentData: [2, 3].map((commentId) => ({
        commentId,
        commentText: tenant.text(`comment ${commentId}`, index),
        from: tenant.user("grace"),
        triggerNotification: true,
      })),
    })),
    ...["reaction", "spare reaction"].map((name) =>
      write("/v2/reactions/add", (tenant, index) => ({
        ...tenant.inDocument,
        annotationId: `annotation-${index}`,
        commentId: 1,
        reaction: tenant.text(name, index),
        from: tenant.user("grace"),
      })),
    ),
  ],
};

/** Changes that concern the users of the records before. */
export const LATER_CHANGES: Stage = {
  writes: [
    write(`${ANNOTATIONS}/update`, (tenant, index) => ({
      ...tenant.inDocument,
      annotationIds: [`annotation-${index}`],
      updatedData: {
        status: { id: "RESOLVED", name: tenant.text("status", index), type: "terminal" },
        assignedTo: tenant.user("grace"),
      },
    })),
    ...["version", "spare"].map((versionId) =>
      write("/v2/crdt/versions/add", (tenant, index) => ({
        ...tenant.inDocument,
        editorId: `editor-${index}`,
        versionId,
        name: tenant.text(versionId, index),
      })),
    ),
    write("/v2/notifications/archive", ({ organizationId }, index) => ({
      organizationId,
      userId: "user-0",
      notificationIds: [`notification-${index}`],
    })),
    write("/v2/notifications/read", ({ organizationId }, index) => ({
      organizationId,
      userId: "grace",
      notificationIds: [`notification-${index}`],
      persistReadForUsers: index % 2 === 0,
    })),
    write("/v2/commentannotations/read", ({ inDocument }, index) => ({
      ...inDocument,
      userId: "grace",
      annotationIds: [`annotation-${index}`],
    })),
    write(
      "/v2/workspace/authtoken/reset",
      ({ space: { workspace } }) => ({ apiKey: workspace.apiKey }),
      (tenant, index) => ({
        "x-service-api-key": tenant.space.workspace.apiKey,
        "x-service-auth-token": tenant.response("/v2/workspace/authtokens/add", index).authToken,
      }),
    ),
  ],
};

/** Changes of comments, whose notifications those of the annotation would change. */
export const COMMENT_CHANGES: Stage = {
  writes: [
    write(`${ANNOTATIONS}/comments/update`, (tenant, index) => ({
      ...tenant.inDocument,
      annotationId: `annotation-${index}`,
      commentIds: [1],
      updatedData: { commentText: tenant.text("changed comment", index) },
    })),
    write("/v2/organizations/access/disablestate/update", ({ organizationId }, index) => ({
      organizationIds: [`${organizationId}-branch-${index}`],
      disabled: index % 2 === 0,
    })),
    write("/v2/organizations/documents/access/disablestate/update", ({ organizationId }, index) => ({
      organizationId,
      documentIds: [`draft-${index}`],
      disabled: index % 2 === 0,
    })),
    write("/v2/organizations/documents/access/update", ({ organizationId }, index) => ({
      organizationId,
      documentIds: [`document-${index}`],
      accessType: index % 2 === 0 ? "restricted" : "organizationPrivate",
    })),
    write("/v2/organizations/folders/access/update", ({ organizationId }, index) => ({
      organizationId,
      folderIds: [`folder-${index}`],
      accessType: index % 2 === 0 ? "organizationPrivate" : "restricted",
    })),
    write("/v1/organizations/documents/locations/update", ({ space: { workspace }, inDocument }, index) => ({
      apiKey: workspace.apiKey,
      authToken: workspace.authToken,
      ...inDocument,
      migrate: { oldLocation: { id: `page-${index}` }, newLocation: { id: `moved-page-${index}` } },
    })),
  ],
};

/** Comments whose notifications are delayed. */
export const DELAYED_COMMENTS: Stage = {
  writes: [
    write(`${ANNOTATIONS}/add`, (tenant, index) => ({
      ...tenant.inDocument,
      commentAnnotations: [
        {
          annotationId: `delayed-${index}`,
          assignedTo: tenant.user("grace"),
          commentData: [
            {
              commentId: 1,
              commentText: tenant.text("delayed comment", index),
              from: tenant.user("ada"),
              taggedUserContacts: [{ text: "@grace", userId: "grace", contact: tenant.user("grace") }],
              triggerNotification: true,
            },
          ],
        },
      ],
    })),
  ],
};
