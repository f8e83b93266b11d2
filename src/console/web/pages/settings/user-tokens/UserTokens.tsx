import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { Link } from "wouter";
import { CopyAsCurl } from "../../../components/CopyAsCurl.tsx";
import { type Generated, GeneratedToken } from "./GeneratedToken.tsx";
import { TokenForm } from "./TokenForm.tsx";
import { EMPTY_FORM, PATH, toRequest } from "./token-form.ts";

/** Generates user tokens to try things with, shows each once, and revokes those of a user. */
export function UserTokens() {
  const [form, setForm] = useState(EMPTY_FORM);
  const [generated, setGenerated] = useState<Generated>();
  const id = useId();
  function onRevoked(userId: string): void {
    if (generated?.userId === userId) setGenerated({ ...generated, isRevoked: true });
  }
  return (
    <Stack>
      <Paper withBorder p="md" component="section" aria-labelledby={id}>
        <Group justify="space-between" mb="sm" gap="xs">
          <Title order={2} size="h5" id={id}>
            Generate a user token
          </Title>
          <CopyAsCurl request={{ path: PATH, data: toRequest(form) }} />
        </Group>
        <Text size="sm" mb="sm" maw="46rem">
          With a user token, the pages of your product call the API for one user. Generate one here to try what a user
          can do. In production your backend does it, by{" "}
          <Anchor component={Link} href={`/api?operation=${PATH}`} size="sm" underline="always">
            {PATH}
          </Anchor>
          .
        </Text>
        <TokenForm form={form} onChange={setForm} onGenerated={setGenerated} onRevoked={onRevoked} />
      </Paper>
      {generated && <GeneratedToken key={generated.token} generated={generated} />}
    </Stack>
  );
}
