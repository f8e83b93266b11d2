import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import { revealBidiControls } from "../../components/bidi.ts";
import { DocumentPanel } from "../../components/DocumentPanel.tsx";

/** Pages that show data of one document. */
const PAGES = [
  { page: "activities", label: "Activities" },
  { page: "documents", label: "Content" },
  { page: "presence", label: "Presence" },
  { page: "notifications", label: "Notifications" },
];

/** The documents of an organization, each with links to its data. */
export function DocumentList({ organizationId }: { organizationId: string }) {
  return (
    <DocumentPanel organizationId={organizationId}>
      {({ id, documentName }) => (
        <div className="details">
          {PAGES.map(({ page, label }) => (
            <Anchor
              key={page}
              component={Link}
              size="sm"
              href={`/${page}?${new URLSearchParams({ organization: organizationId, document: id })}`}
              aria-label={revealBidiControls(`${label} of ${documentName || id}`)}
            >
              {label}
            </Anchor>
          ))}
        </div>
      )}
    </DocumentPanel>
  );
}
