import { PageTitle } from "../../components/PageTitle.tsx";

export default function SettingsPage() {
  return <PageTitle title="Settings" />;
}
