import { type DocumentPlace, usePlaceNames } from "./document-names.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** The name of a document, or its ID if it has none. */
export function DocumentName({ place }: { place: DocumentPlace }) {
  return <UntrustedText>{usePlaceNames([place])(place)}</UntrustedText>;
}
