import { activities } from "./activities.ts";
import { commentAnnotations } from "./annotations.ts";
import { documents } from "./documents.ts";
import { folders } from "./folders.ts";
import type { ImportKind } from "./import-kind.ts";
import { notifications } from "./notifications.ts";
import { organizations } from "./organizations.ts";
import { organizationUserGroups, users } from "./users.ts";

/** The kinds by the names of their fields in a line, in the order in which a line is written. */
export const IMPORT_KINDS: ReadonlyMap<string, ImportKind> = new Map<string, ImportKind>(
  Object.entries({
    organizations,
    folders,
    documents,
    users,
    organizationUserGroups,
    commentAnnotations,
    notifications,
    activities,
  }),
);
