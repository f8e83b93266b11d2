import { Button, Radio, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useApiMutation } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { OrganizationName } from "../../components/OrganizationName.tsx";
import { useUrlParameters } from "../../url.ts";

interface DeleteUserProps {
  userId: string;
  organizationId: string | undefined;
}

/** Value of the choice of all organizations, which no ID is. */
const ALL = "";

/** Asks for the scope of a deletion and starts it. The job ID is kept in the URL, so that progress can be shared. */
export function DeleteUser({ userId, organizationId }: DeleteUserProps) {
  const { change } = useUrlParameters();
  const [isOpen, { open, close }] = useDisclosure();
  /** The only organization whose data are deleted, as chosen; the page may show another one meanwhile. */
  const [chosen, setChosen] = useState<string>();
  const { mutate, isPending, error } = useApiMutation("/v2/users/data/delete");
  function start(): void {
    setChosen(undefined);
    open();
  }
  function confirm(): void {
    mutate(
      { userIds: [userId], ...(chosen !== undefined && { organizationIds: [chosen] }) },
      {
        onSuccess: ({ data: { jobId } }) => {
          close();
          change({ job: jobId });
        },
      },
    );
  }
  const only = chosen ?? organizationId;
  return (
    <>
      <Button variant="outline" color="red" className="danger" onClick={start}>
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
          <Radio.Group label="Scope" value={chosen ?? ALL} onChange={(value) => setChosen(value || undefined)}>
            <Stack gap="xs" mt={4}>
              <Radio value={ALL} label="All organizations in this workspace" />
              {only !== undefined && (
                <Radio
                  value={only}
                  label={
                    <>
                      Only <OrganizationName id={only} />
                    </>
                  }
                />
              )}
            </Stack>
          </Radio.Group>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
