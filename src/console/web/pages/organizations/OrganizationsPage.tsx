import { PageTitle } from "../../components/PageTitle.tsx";
import { useUrlParameters } from "../../url.ts";
import { OrganizationDetail } from "./OrganizationDetail.tsx";
import { OrganizationTable } from "./OrganizationTable.tsx";

/** Shows all organizations, or the one that the URL selects. */
export default function OrganizationsPage() {
  const { get } = useUrlParameters();
  const organizationId = get("organization");
  if (organizationId !== undefined) return <OrganizationDetail key={organizationId} organizationId={organizationId} />;
  return (
    <>
      <PageTitle title="Organizations">Your customers. Each organization's data is isolated from the others.</PageTitle>
      <OrganizationTable />
    </>
  );
}
