import { Alert, Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api/api-error.ts";
import { DisabledOrganization } from "./DisabledOrganization.tsx";
import { FirstPageButton } from "./EmptyPage.tsx";
import { UntrustedText } from "./UntrustedText.tsx";

/** Advice by status of the API's error catalogue. The message says what is wrong. */
const REMEDIES: Partial<Record<ApiError["status"], string>> = {
  OFFLINE: "Check that the service is running and reachable from this machine, then try again.",
  UNAVAILABLE: "The service is overloaded or cannot reach its database. Try again in a moment.",
  RESOURCE_EXHAUSTED: "Wait a moment, then try again.",
  INTERNAL: "Search the service's log for the request ID.",
};

interface ErrorMessageProps {
  error: Error;
  /** Shows a button that retries what failed. */
  onRetry?: () => void;
}

/** An error with its message, advice, and the request ID to find it in the log. */
export function ErrorMessage({ error, onRetry }: ErrorMessageProps) {
  const { status, details, requestId } = error instanceof ApiError ? error : {};
  if (details?.reason === "organization_disabled") return <DisabledOrganization {...details} />;
  if (details?.reason === "page_token_invalid") return <InvalidPageToken />;
  const remedy = status && REMEDIES[status];
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={<UntrustedText>{error.message}</UntrustedText>}
      className="error-message"
    >
      {remedy && <Text size="sm">{remedy}</Text>}
      {requestId && (
        <Text size="xs" c="dimmed">
          Request ID {requestId}
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

/** Replaces a list whose page token is invalid, for example in an old shared link. */
function InvalidPageToken() {
  return (
    <Alert variant="outline" color="gray" role="alert" title="This page of the list is no longer available">
      <FirstPageButton />
    </Alert>
  );
}
