import type { Api } from "../src/operations.ts";
import { CallError, call, type Result, type Service } from "./client.ts";
import { subjectOf, toActivity } from "./commit-activity.ts";
import { type Day, groupsOf, type Person, type Step } from "./team.ts";
import { counted } from "./terminal.ts";

/** Below what a body may be, with room for what stands around an activity. */
const MAX_ACTIVITY_BYTES = 9 * 1024 * 1024;
const MAX_NOTIFIED = 1000;
const NOTED_DOCUMENTS = 4;

export const NOTES = { documentId: "notes of the day", editorId: "notes" };

/** The team of an organization at its service. */
export class Team {
  readonly organizationId: string;
  readonly #service: Service;
  calls = 0;

  constructor(service: Service, organizationId: string) {
    this.#service = service;
    this.organizationId = organizationId;
  }

  /** Returns the `result` of a call about this organization. */
  read<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Result<Path>> {
    this.calls += 1;
    return call(this.#service, path, data);
  }

  /** Returns the `result.data` of it, where there are no pages. */
  async call<Path extends keyof Api>(path: Path, data: Api[Path]["request"]): Promise<Api[Path]["response"]> {
    return (await this.read(path, data)).data;
  }
}

/** Who wants to hear of less: their own name anywhere, and of one document nothing at all. */
export interface Quiet {
  person: Person;
  documentId: string;
}

/** The users with their groups and documents, and one of them whom notifications disturb. */
export async function gatherTeam(team: Team, name: string, day: Day, quiet: Quiet): Promise<void> {
  const { organizationId } = team;
  const users = day.people.map(({ userId, name, email }) => ({ userId, name, email, accessRole: "editor" as const }));
  const documents = day.documentIds.map((documentId) => ({ documentId, documentName: `${name}: ${documentId}` }));
  await team.call("/v2/organizations/documents/add", { organizationId, documents });
  await team.call("/v2/users/add", { organizationId, documentId: NOTES.documentId, users });
  const groups = groupsOf(day.people);
  if (groups.size > 0) {
    const organizationUserGroups = [...groups.keys()].map((folder) => ({ groupId: folder, groupName: folder }));
    await team.call("/v2/organizations/usergroups/add", { organizationId, organizationUserGroups });
  }
  for (const [organizationUserGroupId, members] of groups) {
    const userIds = members.map(({ userId }) => userId);
    await team.call("/v2/organizations/usergroups/users/add", { organizationId, organizationUserGroupId, userIds });
  }
  const { userId } = quiet.person;
  const setConfig = "/v2/notifications/config/set";
  await team.call(setConfig, { organizationId, userIds: [userId], config: { inbox: "MINE" } });
  await team.call(setConfig, {
    organizationId,
    userIds: [userId],
    documentIds: [quiet.documentId],
    config: { inbox: "NONE" },
  });
}

/** The commits one after the other: where their authors are, what they did, and who hears of it. */
export async function playDay(team: Team, day: Day): Promise<Map<Person, string>> {
  const { organizationId } = team;
  const places = new Map<Person, string>();
  for (const step of day.steps) {
    const { commit, person, documentId } = step;
    await moveTo(team, places, person, documentId);
    const activity = toActivity(commit, documentId, MAX_ACTIVITY_BYTES);
    await team.call("/v2/activities/add", { organizationId, documentId, activities: [activity] });
    if (step.concerned.length > 0 || step === day.largest) await notify(team, step, step === day.largest);
  }
  // Who has done nothing in the second half of the day is at lunch still.
  const active = new Set(day.steps.slice(Math.floor(day.steps.length / 2)).map(({ person }) => person));
  for (const [person, documentId] of places) {
    if (!active.has(person)) await heartbeat(team, person, documentId, "away");
  }
  return places;
}

async function moveTo(team: Team, places: Map<Person, string>, person: Person, documentId: string): Promise<void> {
  const { organizationId } = team;
  const before = places.get(person);
  // Those of an earlier run of this program, too.
  const left = before === undefined ? [...person.documents] : [before];
  for (const other of left) {
    if (other === documentId) continue;
    await team.call("/v2/presence/delete", { organizationId, documentId: other, userIds: [person.userId] });
  }
  await heartbeat(team, person, documentId, "online");
  places.set(person, documentId);
}

async function heartbeat(
  team: Team,
  { userId, name }: Person,
  documentId: string,
  status: "online" | "away",
): Promise<void> {
  const { organizationId } = team;
  const users = [{ userId, name: name.slice(0, 256).toWellFormed(), status }];
  await team.call("/v2/presence/add", { organizationId, documentId, users });
}

/** To those whom it concerns; news for everybody reaches the others too, unless they want only what names them. */
async function notify(team: Team, step: Step, isForAll: boolean): Promise<void> {
  const { commit, person, documentId, concerned, sharedFile } = step;
  const { userId, name, email } = person;
  await team.call("/v2/notifications/add", {
    organizationId: team.organizationId,
    documentId,
    notificationId: `commit-${commit.hash}`,
    actionUser: { userId, name, email },
    notifyUsers: concerned.slice(0, MAX_NOTIFIED).map((other) => ({ userId: other.userId, name: other.name })),
    notifyAll: isForAll,
    displayHeadlineMessageTemplate: isForAll
      ? "{actionUser} made the day's largest change, of {files}"
      : "{actionUser} changed {file}, as you did",
    displayHeadlineMessageTemplateData: {
      actionUser: { userId, name },
      files: counted(commit.files.length, "file"),
      ...(sharedFile !== undefined && { file: sharedFile }),
    },
    displayBodyMessage: subjectOf(commit),
  });
}

/** Everybody adds a line to the shared text, which begins anew with each run. */
export async function writeNotes(team: Team, name: string, day: Day): Promise<void> {
  const editor = { organizationId: team.organizationId, ...NOTES, type: "text" as const };
  const heading = `Notes of the day: ${name}\n`;
  try {
    await team.call("/v2/crdt/add", { ...editor, data: heading });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== "ALREADY_EXISTS") throw error;
    await team.call("/v2/crdt/update", { ...editor, data: heading });
  }
  for (const { name: author, commits, documents } of day.people) {
    const more = documents.size > NOTED_DOCUMENTS ? " and elsewhere" : "";
    const places = [...documents].slice(0, NOTED_DOCUMENTS).join(", ");
    const line = `- ${author}: ${counted(commits, "commit")} in ${places}${more}\n`;
    await team.call("/v2/crdt/update", { ...editor, data: (await readNotes(team)) + line.toWellFormed() });
  }
}

export async function readNotes(team: Team): Promise<string> {
  const [editor] = await team.call("/v2/crdt/get", { organizationId: team.organizationId, ...NOTES });
  return String(editor?.data ?? "");
}
