import { PageTitle } from "../../components/PageTitle.tsx";

export default function PeoplePage() {
  return <PageTitle title="People" />;
}
