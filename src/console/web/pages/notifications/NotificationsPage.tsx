import { PageTitle } from "../../components/PageTitle.tsx";

export default function NotificationsPage() {
  return <PageTitle title="Notifications" />;
}
