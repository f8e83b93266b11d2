import { Anchor, SegmentedControl } from "@mantine/core";
import { Link } from "wouter";
import type { ResponseData } from "../../api/call.ts";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { Code } from "../../components/Code.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const VIEWS = [
  { value: "html", label: "Preview" },
  { value: "text", label: "Plain text" },
];

const PATH = "/v2/workspace/outbox/mails/get";

/** Shows one mail as HTML and as plain text. */
export function MailDetail({ mailId }: { mailId: string }) {
  const { link } = useUrlParameters();
  const apiQuery = useApiQuery(PATH, { mailId });
  return (
    <>
      <Anchor component={Link} href={link({ mail: undefined, view: undefined })} size="sm">
        All mails
      </Anchor>
      <Panel title="Mail" apiQuery={apiQuery}>
        {(mail) => <Content mail={mail} />}
      </Panel>
    </>
  );
}

function Content({ mail: { createdAt, from, to, subject, text, html } }: { mail: ResponseData<typeof PATH> }) {
  const { get, change } = useUrlParameters();
  const view = html === "" || get("view") === "text" ? "text" : "html";
  return (
    <>
      <dl className="head">
        <dt>Subject</dt>
        <dd>
          <UntrustedText>{subject}</UntrustedText>
        </dd>
        <dt>From</dt>
        <dd>
          <UntrustedText>{from}</UntrustedText>
        </dd>
        <dt>To</dt>
        <dd>
          <UntrustedText>{to}</UntrustedText>
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      {html !== "" && (
        <div className="toolbar">
          <SegmentedControl
            size="xs"
            aria-label="Show"
            data={VIEWS}
            value={view}
            onChange={(next) => change({ view: next === "text" ? next : undefined }, { replace: true })}
          />
        </div>
      )}
      {view === "html" ? (
        // The empty sandbox forbids scripts, forms and navigation. The page's policy applies to the frame, too.
        <iframe className="mail" sandbox="" srcDoc={html} title={revealBidiControls(`Mail: ${subject}`)} />
      ) : (
        <Code label="Plain text of the mail" text={text} />
      )}
    </>
  );
}
