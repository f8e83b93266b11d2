import { PageTitle } from "../../components/PageTitle.tsx";

export default function OrganizationsPage() {
  return <PageTitle title="Organizations" />;
}
