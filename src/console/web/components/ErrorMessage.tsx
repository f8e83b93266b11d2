import { Alert, Button, Group, Text } from "@mantine/core";
import { CallFailure } from "../api/failure.ts";

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
  const { status = "", requestId = undefined } = error instanceof CallFailure ? error : {};
  const remedy = REMEDIES[status];
  return (
    <Alert color="red" variant="outline" role="alert" title={error.message} className="failure">
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
