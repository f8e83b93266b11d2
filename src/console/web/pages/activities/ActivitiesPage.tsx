import { PageTitle } from "../../components/PageTitle.tsx";

export default function ActivitiesPage() {
  return <PageTitle title="Activities" />;
}
