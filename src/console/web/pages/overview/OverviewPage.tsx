import { PageTitle } from "../../components/PageTitle.tsx";

export default function OverviewPage() {
  return <PageTitle title="Overview" />;
}
