import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useParameters } from "../../address.ts";
import type { Asked } from "../../api/use-answer.ts";
import { nameOf } from "../../components/message.ts";
import { Pager } from "../../components/Pager.tsx";
import { Panel } from "../../components/Panel.tsx";
import { Verbatim } from "../../components/Verbatim.tsx";
import type { FoundUser } from "./PeoplePage.tsx";

interface PersonFoundProps {
  asked: Asked<FoundUser[]>;
  empty: ReactNode;
}

/** In which organizations a person is known, and as what. */
export function PersonFound({ asked, empty }: PersonFoundProps) {
  const { link } = useParameters();
  return (
    <Panel title="Known in" asked={asked} isEmpty={(found) => found.length === 0} empty={empty}>
      {(found, { pageToken }) => (
        <>
          <ul className="rows">
            {found.map(({ organizationId, user }) => (
              <li key={`${organizationId}\n${user.userId}`}>
                <div>
                  <Anchor
                    component={Link}
                    size="sm"
                    href={link({ user: user.userId, email: undefined, organization: organizationId, page: undefined })}
                  >
                    <Verbatim>{organizationId}</Verbatim>
                  </Anchor>
                  <Text size="xs" c="dimmed" component="div" className="details">
                    <Verbatim>{nameOf(user)}</Verbatim>
                    <Verbatim>{user.userId}</Verbatim>
                    {user.email && <Verbatim>{user.email}</Verbatim>}
                    {user.accessRole && <Verbatim>{user.accessRole}</Verbatim>}
                  </Text>
                </div>
              </li>
            ))}
          </ul>
          <Pager label="organizations" name="found" nextToken={pageToken} />
        </>
      )}
    </Panel>
  );
}
