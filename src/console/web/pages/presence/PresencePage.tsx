import { PageTitle } from "../../components/PageTitle.tsx";

export default function PresencePage() {
  return <PageTitle title="Presence" />;
}
