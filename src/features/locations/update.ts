import Type, { type Static } from "typebox";
import { type PublicContext, publicOperation } from "../../contract/operation.ts";
import { Location } from "../comments/annotations/annotation.ts";
import { DOCUMENT_EXAMPLE, documentFields, inLocation, LocationRef } from "./in-location.ts";
import { LOCATED_RECORDS } from "./located-records.ts";

const Request = Type.Object({
  ...documentFields,
  migrate: Type.Object({ oldLocation: LocationRef, newLocation: Location }),
  merge: Type.Optional(Type.Boolean({ default: false })),
});

/** Gives all records at a location of a document another location. */
export const updateLocation = publicOperation({
  authentication: "none",
  path: "/v1/organizations/documents/locations/update",
  summary: "Replace a location of a document",
  description:
    "Needs no headers: the API key and the auth token are in `data`. The auth token needs the scope `write`. All " +
    "annotations and notifications of the document at `oldLocation.id` get `newLocation`, in one transaction. With " +
    "`merge`, its fields are merged into the location that a record has. Nothing is notified. " +
    "`organizationId` is required if several organizations of the workspace have a document with this ID.",
  message: "Location updated.",
  request: Request,
  response: Type.Null(),
  errors: ["FAILED_PRECONDITION"],
  example: {
    ...DOCUMENT_EXAMPLE,
    migrate: { oldLocation: { id: "page-2" }, newLocation: { id: "page-3", locationName: "Page 3" } },
  },
  handle,
});

async function handle(
  context: PublicContext,
  { migrate: { oldLocation, newLocation }, merge, ...document }: Static<typeof Request>,
) {
  return inLocation(context, document, oldLocation, async (scope, place) => {
    for (const records of LOCATED_RECORDS) {
      await records.move(scope, place, (before) => (merge ? { ...before, ...newLocation } : newLocation));
    }
  });
}
