import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { ApiError } from "../api/api-error.ts";
import { useUrlParameters } from "../url.ts";
import { disabledOrganization, isOfPageToken } from "./refusal.ts";
import { UntrustedText } from "./UntrustedText.tsx";

/** What to do about a failure, by the status of the API's catalogue; the message itself says what is wrong. */
const REMEDIES: Record<string, string> = {
  OFFLINE: "See whether the service runs and this machine reaches it, then try again.",
  UNAVAILABLE: "It is overloaded or without its database; try again in a moment.",
  RESOURCE_EXHAUSTED: "Wait a little, then try again.",
  INTERNAL: "The service's log says more; look there for the request id.",
};

interface ErrorMessageProps {
  error: Error;
  /** Tries again what has failed. */
  onRetry?: () => void;
}

/** A failure: what has happened, what to do about it, and the id to find it in the log. */
export function ErrorMessage({ error, onRetry }: ErrorMessageProps) {
  const { status = "", requestId = undefined } = error instanceof ApiError ? error : {};
  const organizationId = disabledOrganization(error.message);
  if (organizationId !== undefined) return <Disabled organizationId={organizationId} />;
  if (status === "INVALID_ARGUMENT" && isOfPageToken(error.message)) return <NoSuchListPage />;
  const remedy = REMEDIES[status];
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={<UntrustedText>{error.message}</UntrustedText>}
      className="failure"
    >
      {remedy && <Text size="sm">{remedy}</Text>}
      {requestId && (
        <Text size="xs" c="dimmed">
          Request {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="xs">
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}

function Disabled({ organizationId }: { organizationId: string }) {
  return (
    <Alert variant="outline" color="gray" role="alert" title="This organization is disabled">
      <Text size="sm">
        What <UntrustedText>{organizationId}</UntrustedText> has is kept, but neither read nor changed until it is
        enabled.{" "}
        <Anchor
          component={Link}
          href={`/organizations?${new URLSearchParams({ organization: organizationId })}`}
          size="sm"
          underline="always"
        >
          Enable it on its page
        </Anchor>
      </Text>
    </Alert>
  );
}

/** A shared or kept address may name a page of a list that was another then. */
function NoSuchListPage() {
  const { link } = useUrlParameters();
  return (
    <Alert variant="outline" color="gray" role="alert" title="This page cannot be shown any more">
      <Button
        component={Link}
        href={link({ page: undefined, found: undefined, threads: undefined })}
        size="compact-sm"
        variant="default"
      >
        First page
      </Button>
    </Alert>
  );
}
