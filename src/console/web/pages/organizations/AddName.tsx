import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { RenameOrganization } from "./OrganizationForms.tsx";

/** States that an organization has no name and offers to add one. */
export function AddName({ organizationId }: { organizationId: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        No name yet.
      </Text>
      <Button size="compact-xs" variant="default" onClick={open}>
        Add a name…
      </Button>
      {isOpen && <RenameOrganization organization={{ id: organizationId, organizationName: "" }} onClose={close} />}
    </Group>
  );
}
