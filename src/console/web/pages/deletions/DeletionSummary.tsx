import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Deletion } from "../../api/records.ts";
import { pluralize } from "../../components/numbers.ts";
import { useOrganizationNames } from "../../components/organization-names.ts";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { actorLabel } from "../settings/audit-actions.ts";
import { scopeLabel, usersLabel } from "./deletion-text.ts";

/** One line about a deletion, which opens its receipt, and below it who asked, when, and for which organizations. */
export function DeletionSummary({ deletion }: { deletion: Deletion }) {
  const { jobId, userIds, organizationIds, requestedBy, acceptedAt, completedAt, deleted, stripped } = deletion;
  const toName = useOrganizationNames(organizationIds ?? []);
  return (
    <div>
      <Anchor component={Link} size="sm" data-opens href={`/deletions?${new URLSearchParams({ job: jobId })}`}>
        <UntrustedText>{usersLabel(userIds)}</UntrustedText>
      </Anchor>
      <Text size="xs" c="dimmed" component="div" className="details">
        {completedAt === null ? (
          <span>
            started <Time at={acceptedAt} />, still running
          </span>
        ) : (
          <span>
            deleted <Time at={completedAt} />
          </span>
        )}
        <UntrustedText>{scopeLabel(organizationIds, toName)}</UntrustedText>
        {requestedBy && <UntrustedText>{`by ${actorLabel(requestedBy)}`}</UntrustedText>}
        <span>{pluralize(deleted, "record")} deleted</span>
        {stripped > 0 && <span>{pluralize(stripped, "record")} of others changed</span>}
      </Text>
    </div>
  );
}
