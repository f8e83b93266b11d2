import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Empty } from "../../components/Empty.tsx";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import { MailDetail } from "./MailDetail.tsx";

const PAGE_SIZE = 50;

interface OutboxItem {
  id: string;
  createdAt: number;
  to: string;
  subject: string;
}

/** The mails that were kept instead of sent, or the one that the address names. */
export default function OutboxPage() {
  const { get } = useParameters();
  const mailId = get("mail");
  return (
    <>
      <PageTitle title="Outbox">
        Mails of this workspace, kept on this server because no SMTP_URL is set: nothing in here is ever sent.
      </PageTitle>
      {mailId === undefined ? <MailList /> : <MailDetail key={mailId} mailId={mailId} />}
    </>
  );
}

function MailList() {
  const { get, link } = useParameters();
  const asked = useAnswer<OutboxItem[]>("/v2/workspace/outbox/get", { pageSize: PAGE_SIZE, pageToken: get("page") });
  const first = { path: "/v2/workspace/email/send-test-mail", data: { email: "ada@example.com" } };
  return (
    <Panel
      title="Newest first"
      asked={asked}
      isEmpty={(mails) => mails.length === 0}
      empty={
        <Empty first={first}>
          No mail is kept here. Where the service was started with SMTP_URL, or the workspace has a provider, mails are
          sent and not kept. Otherwise this command puts one here:
        </Empty>
      }
    >
      {(mails, { pageToken }) => (
        <>
          <ul className="rows">
            {mails.map(({ id, createdAt, to, subject }) => (
              <li key={id}>
                <div>
                  <Anchor component={Link} size="sm" href={link({ mail: id })}>
                    <Verbatim>{subject || "(no subject)"}</Verbatim>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    <Time at={createdAt} />
                    <span>
                      to <Verbatim>{to}</Verbatim>
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
