import { Anchor, SegmentedControl } from "@mantine/core";
import { Link } from "wouter";
import { useApiQuery } from "../../api/use-api.ts";
import { revealBidiControls } from "../../components/bidi.ts";
import { Code } from "../../components/Code.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Time } from "../../components/Time.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import { useUrlParameters } from "../../url.ts";

const VIEWS = [
  { value: "html", label: "As a mail program shows it" },
  { value: "text", label: "Text" },
];

interface Mail {
  id: string;
  createdAt: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** One mail in both of its forms. */
export function EmailDetail({ mailId }: { mailId: string }) {
  const { link } = useUrlParameters();
  const apiQuery = useApiQuery<Mail>("/v2/workspace/outbox/mails/get", { mailId });
  return (
    <>
      <Anchor component={Link} href={link({ mail: undefined, view: undefined })} size="sm">
        All mails
      </Anchor>
      <Panel title="Mail" apiQuery={apiQuery}>
        {(mail) => <Shown mail={mail} />}
      </Panel>
    </>
  );
}

function Shown({ mail: { createdAt, from, to, subject, text, html } }: { mail: Mail }) {
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
        <dt>Kept</dt>
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
            onChange={(chosen) => change({ view: chosen === "text" ? chosen : undefined }, { replace: true })}
          />
        </div>
      )}
      {view === "html" ? (
        // Without any right: no script, no form, no way out of the frame; the page's own policy holds in it, too.
        <iframe className="mail" sandbox="" srcDoc={html} title={revealBidiControls(`Mail: ${subject}`)} />
      ) : (
        <Code label="Text of the mail" text={text} />
      )}
    </>
  );
}
