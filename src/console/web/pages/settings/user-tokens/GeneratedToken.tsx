import { Paper, Stack, Text, Title } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import { curlCommand } from "../../../api/curl.ts";
import { Code } from "../../../components/Code.tsx";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { SERVICE_URL } from "../../../url.ts";
import type { Trial } from "./token-form.ts";

export interface Generated {
  userId: string;
  token: string;
  expiresAt: number;
  trial: Trial;
  isRevoked: boolean;
}

/** Shows a token that was just generated, which takes the focus, and a command that tries it. */
export function GeneratedToken({
  generated: { userId, token, expiresAt, trial, isRevoked },
}: {
  generated: Generated;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={id} ref={heading} tabIndex={-1} className="takes-focus">
          Token of <UntrustedText>{userId}</UntrustedText>
        </Title>
        <Text size="sm" role="status">
          {isRevoked ? (
            "This token is revoked: requests with it are rejected."
          ) : (
            <>
              Copy the token now. It is not stored, so it cannot be shown again. It expires{" "}
              <Time at={expiresAt} isRoundedUp />.
            </>
          )}
        </Text>
        <Code label={`User token of ${userId}`} text={token} />
        <Text size="sm">
          Try it: this lists the documents in <UntrustedText>{trial.data.organizationId}</UntrustedText> that the user
          can read.
        </Text>
        <Code
          label="Command that tries the token"
          text={curlCommand(trial, { serviceUrl: SERVICE_URL, userToken: token })}
        />
      </Stack>
    </Paper>
  );
}
