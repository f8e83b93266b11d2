import Type, { type Static } from "typebox";
import { type PublicContext, publicOperation } from "../../contract/operation.ts";
import { DOCUMENT_EXAMPLE, documentFields, inLocation, LocationRef } from "./in-location.ts";
import { LOCATED_RECORDS } from "./located-records.ts";

const Request = Type.Object({ ...documentFields, location: LocationRef });

/** Deletes all records at a location of a document. */
export const deleteLocationData = publicOperation({
  authentication: "none",
  path: "/v1/organizations/documents/locations/data/delete",
  summary: "Delete all data at a location of a document",
  description:
    "Needs no headers: the API key and the auth token are in `data`. The auth token needs the scope `write`. Deletes " +
    "all annotations of the document at the location with their comments, and all notifications at it, in one " +
    "transaction. Deleting a location without data succeeds. " +
    "`organizationId` is required if several organizations of the workspace have a document with this ID.",
  message: "Location data deleted.",
  request: Request,
  deletes: ["documentId"],
  response: Type.Null(),
  errors: ["FAILED_PRECONDITION"],
  example: {
    ...DOCUMENT_EXAMPLE,
    location: { id: "page-2" },
  },
  handle,
});

async function handle(context: PublicContext, { location, ...document }: Static<typeof Request>) {
  return inLocation(context, document, location, async (scope, place) => {
    for (const records of LOCATED_RECORDS) await records.delete(scope, place);
  });
}
