import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { AnyApiRequest } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Pager } from "../../components/Pager.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { Panel } from "../../components/Panel.tsx";
import { usePageSize } from "../../components/page-size.ts";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";
import { MailDetail } from "./MailDetail.tsx";

/** Shows the mails that were kept instead of sent, or the one that the URL selects. */
export default function OutboxPage() {
  const { get } = useUrlParameters();
  const mailId = get("mail");
  return (
    <>
      <PageTitle title="Outbox">
        Mails of this workspace that were kept instead of sent, because no mail server was configured.
      </PageTitle>
      {mailId === undefined ? <MailList /> : <MailDetail key={mailId} mailId={mailId} />}
    </>
  );
}

function MailList() {
  const { get, link } = useUrlParameters();
  const apiQuery = useApiQuery("/v2/workspace/outbox/get", {
    pageSize: usePageSize(),
    pageToken: get("page"),
  });
  const example: AnyApiRequest = { path: "/v2/workspace/email/send-test-mail", data: { email: "ada@example.com" } };
  return (
    <Panel
      title="Mails"
      apiQuery={apiQuery}
      isEmpty={(mails) => mails.length === 0}
      empty={
        <EmptyState example={example}>
          Outbox is empty. If SMTP_URL is set or the workspace has a provider, mails are sent and not kept. Otherwise
          run this command to add one:
        </EmptyState>
      }
    >
      {(mails, { pageToken }) => (
        <>
          <ul className="rows">
            {mails.map(({ id, createdAt, to, subject }) => (
              <li key={id}>
                <div>
                  <Anchor component={Link} size="sm" data-opens href={link({ mail: id })}>
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
          <Pager hasSizes label="mails" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
