import { PageTitle } from "../../components/PageTitle.tsx";

export default function DocumentsPage() {
  return <PageTitle title="Documents" />;
}
