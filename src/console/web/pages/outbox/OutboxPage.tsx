import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { EmailDetail } from "./EmailDetail.tsx";

const PAGE_SIZE = 50;

interface OutboxItem {
  id: string;
  createdAt: number;
  to: string;
  subject: string;
}

/** The mails that were kept instead of sent, or the one that the address names. */
export default function OutboxPage() {
  const { get } = useUrlParameters();
  const mailId = get("mail");
  return (
    <>
      <PageTitle title="Outbox">
        Mails of this workspace, kept on this server because no SMTP_URL is set: nothing in here is ever sent.
      </PageTitle>
      {mailId === undefined ? <MailList /> : <EmailDetail key={mailId} mailId={mailId} />}
    </>
  );
}

function MailList() {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery<OutboxItem[]>("/v2/workspace/outbox/get", {
    pageSize: PAGE_SIZE,
    pageToken: get("page"),
  });
  const first = { path: "/v2/workspace/email/send-test-mail", data: { email: "ada@example.com" } };
  return (
    <Panel
      title="Newest first"
      apiQuery={apiQuery}
      isEmpty={(mails) => mails.length === 0}
      empty={
        <EmptyState first={first}>
          No mail is kept here. Where the service was started with SMTP_URL, or the workspace has a provider, mails are
          sent and not kept. Otherwise this command puts one here:
        </EmptyState>
      }
    >
      {(mails, { pageToken }) => (
        <>
          <ul className="rows">
            {mails.map(({ id, createdAt, to, subject }) => (
              <li key={id}>
                <div>
                  <Anchor component={Link} size="sm" href={link({ mail: id })}>
                    <UntrustedText>{subject || "(no subject)"}</UntrustedText>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    <Time at={createdAt} />
                    <span>
                      to <UntrustedText>{to}</UntrustedText>
                    </span>
                  </Text>
                </div>
              </li>
            ))}
          </ul>
          <Pager label="mails" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
