import { PageTitle } from "../../components/PageTitle.tsx";

export default function RecordingsPage() {
  return <PageTitle title="Recordings" />;
}
