import { Anchor, Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { PageTitle } from "./PageTitle.tsx";
import { UntrustedText } from "./UntrustedText.tsx";
import { type AvatarKind, WithAvatar } from "./WithAvatar.tsx";

interface LabelledLink {
  label: string;
  href: string;
}

interface RecordTitleProps {
  kind: AvatarKind;
  id: string;
  /** Name, or the ID if there is none. */
  title: string;
  /** What the record belongs to, outermost first. */
  parents: readonly LabelledLink[];
  /** Other pages about the record. */
  links?: readonly LabelledLink[];
  /** Buttons that change the record. */
  actions?: ReactNode;
  /** A line below the title. */
  children?: ReactNode;
}

/** The head of a page about one record: breadcrumb, avatar, name, links to other pages about it, and actions on it. */
export function RecordTitle({ kind, id, title, parents, links = [], actions, children }: RecordTitleProps) {
  return (
    <div>
      <nav aria-label="Breadcrumb">
        <ol className="breadcrumb">
          {parents.map(({ label, href }) => (
            <li key={href}>
              <Anchor component={Link} href={href} size="sm">
                <UntrustedText>{label}</UntrustedText>
              </Anchor>
            </li>
          ))}
        </ol>
      </nav>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div className="grow-wide">
          <WithAvatar kind={kind} id={id} name={title} isLarge>
            <PageTitle title={title}>{children}</PageTitle>
          </WithAvatar>
        </div>
        {(links.length > 0 || actions) && (
          <Group gap="xs">
            {links.map(({ label, href }) => (
              <Button key={href} component={Link} href={href} size="xs" variant="default">
                {label}
              </Button>
            ))}
            {actions}
          </Group>
        )}
      </Group>
    </div>
  );
}
