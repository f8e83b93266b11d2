import { PageTitle } from "../../components/PageTitle.tsx";

export default function ApiPage() {
  return <PageTitle title="API" />;
}
