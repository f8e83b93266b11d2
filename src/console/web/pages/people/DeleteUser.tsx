import { Button, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

interface DeleteUserProps {
  userId: string;
  organizationId: string | undefined;
}

/** Asks for the scope of a deletion and starts it. The job ID is kept in the URL, so that progress can be shared. */
export function DeleteUser({ userId, organizationId }: DeleteUserProps) {
  const { change } = useUrlParameters();
  const [isOpen, { open, close }] = useDisclosure();
  const [scope, setScope] = useState("all");
  const { mutate, isPending, error } = useApiMutation("/v2/users/data/delete");
  function confirm(): void {
    const isOne = scope === "one" && organizationId !== undefined;
    mutate(
      { userIds: [userId], ...(isOne && { organizationIds: [organizationId] }) },
      {
        onSuccess: ({ data: { jobId } }) => {
          close();
          change({ job: jobId });
        },
      },
    );
  }
  return (
    <>
      <Button variant="outline" color="red" className="danger" onClick={open}>
        Delete…
      </Button>
      <ConfirmDialog
        title={`Delete ${userId}'s data?`}
        action="Delete permanently"
        typed={userId}
        isOpen={isOpen}
        isRunning={isPending}
        error={error}
        onConfirm={confirm}
        onClose={close}
      >
        <Stack gap="sm">
          <Text size="sm">
            Deletes their content and profile, and removes their ID and email from other people's content. Data written
            after the request is not deleted. This cannot be undone: export the data first if you need to keep it.
          </Text>
          <Radio.Group label="Scope" value={scope} onChange={setScope}>
            <Stack gap="xs" mt={4}>
              <Radio value="all" label="All organizations in this workspace" />
              <Radio
                value="one"
                label={<UntrustedText>{`Only ${organizationId}`}</UntrustedText>}
                disabled={organizationId === undefined}
              />
            </Stack>
          </Radio.Group>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
