import Type, { type Static } from "typebox";
import { compileFileUrls } from "../../contract/file-urls.ts";
import { type Context, JsonText, operation, Page } from "../../contract/operation.ts";
import { FreeFormObject, Identifier, PageToken } from "../../contract/schema.ts";
import { Comment } from "../comments/comments/comment.ts";
import { Recording } from "../recordings/recording.ts";
import { assertNotBeingDeleted } from "../tenancy/access-block.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { UserRecord } from "../users/user.ts";
import { PURGED_OR_EXPORTED_KINDS } from "./kinds.ts";

const Position = Type.Array(Type.Union([Type.String(), Type.Number()]));

const Request = Type.Object({
  organizationId: Identifier,
  userId: Identifier,
  pageToken: Type.Optional(PageToken),
});

const Cursor = Type.Record(Type.String(), Position, { description: "by kind with more, its last position" });

/** Functions that add the URLs of files to the list of a kind, with its name. */
const FILE_URLS = new Map([
  ["comments", compileFileUrls(Type.Array(Comment))],
  ["files", compileFileUrls(Type.Object({ files: Type.Array(Type.Object({ fileId: Identifier })) }))],
  ["recordings", compileFileUrls(Type.Array(Recording))],
  ["users", compileFileUrls(Type.Array(UserRecord))],
]);

/** Exports everything of a user in an organization, at most 100 records of each kind in a page. */
export const getUserData = operation({
  path: "/v1/users/data/get",
  aliases: ["/v2/users/data/get"],
  summary: "Export the data of a user",
  description:
    "Returns what the user wrote in the organization and what is stored about the user, by kind, each in the " +
    "format of its own operations, with signed URLs of its files. A page has at most 100 records of each kind; a " +
    "finished kind is an empty list. `nextPageToken` requests the next page and is `null` on the last one. Exporting " +
    "works in disabled organizations and, with the remaining data, while a deletion runs.",
  message: "User data retrieved.",
  scope: "read",
  request: Request,
  response: Type.Record(Type.String(), Type.Array(FreeFormObject), {
    examples: [{ activities: [{ id: "activity-1", actionType: "clause.edit", actionUser: { userId: "ada" } }] }],
  }),
  cursor: Cursor,
  pageTokenNames: ["nextPageToken"],
  isLastPageTokenNull: true,
  errors: ["FAILED_PRECONDITION"],
  example: { organizationId: "acme", userId: "ada" },
  handle,
});

async function handle(
  { database, workspace, cursor, files }: Context<Static<typeof Cursor>>,
  { organizationId, userId }: Static<typeof Request>,
) {
  const scope = openOrganization(database, workspace, organizationId);
  const texts: string[] = [];
  const next: { [kind: string]: (string | number)[] } = {};
  for (const { kind, selectPage } of PURGED_OR_EXPORTED_KINDS) {
    if (!selectPage) continue;
    const isThrough = cursor !== undefined && cursor[kind] === undefined;
    const page = isThrough ? undefined : await selectPage(scope, userId, cursor?.[kind]);
    if (page) assertNotBeingDeleted(page.extra, organizationId);
    if (page?.next) next[kind] = page.next;
    const list = `${JSON.stringify(kind)}:${page?.records ?? "[]"}`;
    const addUrls = FILE_URLS.get(kind);
    const getDownload = (fileId: string) => files.getDownload(workspace.id, organizationId, fileId);
    texts.push(addUrls ? addUrls(list, getDownload) : list);
  }
  return new Page(new JsonText(`{${texts.join(",")}}`), Object.keys(next).length > 0 ? next : undefined);
}
