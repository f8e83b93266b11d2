import { Empty } from "./Empty.tsx";
import { FIRST_ACTIVITY } from "./examples.ts";
import type { ChosenOrganization } from "./OrganizationSelect.tsx";
import { Panel } from "./Panel.tsx";

/** In the place of a page's list while it is not known which organization it is of, or there is none. */
export function NoOrganization({ title, chosen: { asked } }: { title: string; chosen: ChosenOrganization }) {
  return (
    <Panel
      title={title}
      asked={asked}
      isEmpty={() => true}
      empty={
        <Empty first={FIRST_ACTIVITY}>
          There is no organization yet. It comes to exist on its first use, such as by this command of your backend:
        </Empty>
      }
    >
      {() => null}
    </Panel>
  );
}
