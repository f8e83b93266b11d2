import { Text } from "@mantine/core";
import type { Activity } from "../api/records.ts";
import { fillTemplate, userLabel } from "./display-text.ts";
import { FilterLink } from "./FilterLink.tsx";
import { Time } from "./Time.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

/** What an activity says to people: its template filled in, or who did what. */
function sentenceOf({ displayMessageTemplate, displayMessageTemplateData, actionUser, actionType }: Activity): string {
  if (!displayMessageTemplate) return `${userLabel(actionUser)}: ${actionType}`;
  return fillTemplate(displayMessageTemplate, displayMessageTemplateData);
}

interface ActivitySummaryProps {
  activity: Activity;
  /** Where the parts of an activity lead: the feed filtered by them. */
  linkTo: (filter: { document?: string; user?: string; action?: string }) => string;
  /** Tells the organization too, where the list is of more than one. */
  hasOrganization?: boolean;
}

/** What was done, when, by whom and where. */
export function ActivitySummary({ activity, linkTo, hasOrganization = false }: ActivitySummaryProps) {
  const { metadata, actionUser, actionType, featureType, timestamp } = activity;
  const { documentId, organizationId } = metadata;
  return (
    <>
      <Text size="sm" lineClamp={3}>
        <UntrustedText>{sentenceOf(activity)}</UntrustedText>
      </Text>
      <Text size="xs" c="dimmed" component="div" className="details">
        <Time at={timestamp} />
        <span className="feature" data-feature={featureType}>
          <UntrustedText>{featureType}</UntrustedText>
        </span>
        <FilterLink href={linkTo({ action: actionType })}>
          <UntrustedText>{actionType}</UntrustedText>
        </FilterLink>
        <FilterLink href={linkTo({ user: actionUser.userId })}>
          <UntrustedText>{userLabel(actionUser)}</UntrustedText>
        </FilterLink>
        <FilterLink href={linkTo({ document: documentId })}>
          {hasOrganization && (
            <>
              <UntrustedText>{organizationId}</UntrustedText> /{" "}
            </>
          )}
          <UntrustedText>{documentId}</UntrustedText>
        </FilterLink>
      </Text>
    </>
  );
}
