import { ItemDialog } from "../../components/ItemDialog.tsx";

const ITEM = "data.organizations[0]";
const NAME = { name: "organizationName", label: "Name", placeholder: "Acme Ltd" } as const;

/** A dialog that creates an organization. */
export function NewOrganization({ onClose }: { onClose: () => void }) {
  return (
    <ItemDialog
      title="Create organization"
      action="Create"
      path="/v2/organizations/add"
      at={ITEM}
      fields={[
        {
          name: "organizationId",
          label: "Organization ID",
          description: "The ID that your backend sends. It cannot be changed later.",
          placeholder: "acme",
          isRequired: true,
        },
        NAME,
      ]}
      buildRequest={(organization) => ({ organizations: [organization] })}
      onClose={onClose}
    />
  );
}

interface RenameOrganizationProps {
  organization: { id: string; organizationName: string };
  onClose: () => void;
}

/** A dialog that changes the name of an organization. */
export function RenameOrganization({ organization: { id, organizationName }, onClose }: RenameOrganizationProps) {
  return (
    <ItemDialog
      title={`Rename ${id}`}
      action="Rename"
      path="/v2/organizations/update"
      at={ITEM}
      fields={[{ ...NAME, value: organizationName }]}
      buildRequest={(fields) => ({ organizations: [{ organizationId: id, ...fields }] })}
      onClose={onClose}
    />
  );
}
