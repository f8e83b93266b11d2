import { PageTitle } from "../../components/PageTitle.tsx";

export default function OutboxPage() {
  return <PageTitle title="Outbox" />;
}
