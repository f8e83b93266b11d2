import { expect, test } from "vitest";
import { readDocumentName } from "./document-name.ts";

test("a name has three identifiers, percent-encoded", () => {
  const named = { organizationId: "acme/west", documentId: "contract 7", editorId: "é" };
  expect(readDocumentName("acme%2Fwest/contract%207/%C3%A9")).toEqual(named);
});

test.each(["a/b", "a//c", "a/b/c/d", "a/b/%00", "a/b/c%0A", "a/b/%zz", `a/b/${"c".repeat(257)}`])(
  "%j names no collaborative document",
  (name) => {
    expect(readDocumentName(name)).toBeUndefined();
  },
);
