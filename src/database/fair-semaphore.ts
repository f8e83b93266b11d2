export interface SemaphoreLimits {
  /** Maximum number of permits in use. */
  maxPermits: number;
  /** Maximum number of callers that wait. Past it, the oldest is rejected. */
  maxWaiting: number;
  /** Time after which a waiting caller is rejected. At most 100 are rejected every 50 ms, so some may wait longer. */
  maxWaitMs: number;
  /** Whether the newest call of a member is the next, so that calls past the capacity do not delay all others. */
  isNewestFirst?: boolean;
}

export interface Permit {
  /** Gives the permit to the next caller. Later calls have no effect. */
  release(): void;
}

/** Who acquires permits: a member of a group, such as a user of a workspace, for work on an organization. */
export interface Member {
  group: string;
  name: string;
  organization?: string;
  /** Whether the member never has more than a tenth of the permits, or two, even if nobody else waits. */
  isCapped?: boolean;
}

/** Names of a member and its organization. */
type Names = Required<Omit<Member, "isCapped">>;

/** Has permits and waiting callers, or members that do. */
interface Holder {
  permits: number;
}

/** An organization of a group, with the permits of all members that work on it. */
interface OrganizationState extends Holder {
  /** Number of tasks that refer to it. */
  tasks: number;
}

interface GroupState extends Holder {
  members: Map<string, MemberState>;
  /** Organizations on which members work. */
  organizations: Map<string, OrganizationState>;
  /** Members with waiting callers; the first has its turn next. */
  queue: Set<MemberState>;
}

interface MemberState extends Holder {
  group: GroupState;
  maxPermits: number;
  tasks: Map<string, Task>;
  /** Tasks with waiting callers; the first has its turn next. */
  queue: Set<Task>;
}

/** The work of a member on an organization. */
interface Task extends Holder {
  member: MemberState;
  organization: OrganizationState;
  names: Names;
  /** The oldest first. */
  waiting: Waiting[];
}

interface Waiting {
  task: Task;
  since: number;
  /** Returns whether nobody waits for the result any more. */
  isAbandoned(): boolean;
  start(permit: Permit): void;
  reject(error: Error): void;
}

/** Parts of all permits above which a group or a member gets no further ones while others wait that have less. */
const GROUP_SHARE = 1 / 2;
const MEMBER_SHARE = 1 / 10;
/**
 * Part of all permits that no group gets, even if nobody else waits. No member gets two such parts, and no organization
 * three: whoever comes finds a permit, also if all others are held by calls that wait for a lock.
 */
const RESERVED_SHARE = 1 / 16;
/** Fewest permits that a capped member may have: a call may need a second one while it has the first. */
const MIN_OF_CAPPED = 2;
/** Fewest permits of which some are reserved. Of fewer ones, the three reserved parts would be half or more. */
const MIN_RESERVING = 8;

/** Interval at which callers are rejected that have waited for too long. */
const SWEEP_INTERVAL_MS = 50;
/** Maximum number of callers that are rejected before a yield to the event loop. */
const MAX_SWEPT = 100;

/**
 * A semaphore that nobody can take for itself. Groups take turns while others wait, and so do the members of a group
 * and the organizations of a member, so that one that asks for little does not wait behind all callers of one that asks
 * for much. Waiting is limited and short: it slows callers down that ask again as soon as they have a response, while a
 * rejection would make them ask again at once.
 */
export class FairSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #error: Error;
  readonly #groupShare: number;
  readonly #memberShare: number;
  readonly #groupMax: number;
  readonly #memberMax: number;
  readonly #organizationMax: number;
  /** Groups with permits or waiting callers. */
  readonly #groups = new Map<string, GroupState>();
  /** Groups with waiting callers; the first has its turn next. */
  readonly #queue = new Set<GroupState>();
  /** Waiting callers of all groups, the oldest first. */
  readonly #waiting = new Set<Waiting>();
  #permits = 0;
  #sweep: NodeJS.Timeout | undefined;

  /** All rejections are the same error, because recording the stack of each would make them more expensive. */
  constructor(limits: SemaphoreLimits, error: Error) {
    this.#limits = limits;
    this.#error = error;
    this.#groupShare = Math.ceil(limits.maxPermits * GROUP_SHARE);
    this.#memberShare = Math.ceil(limits.maxPermits * MEMBER_SHARE);
    const reserved = limits.maxPermits < MIN_RESERVING ? 0 : Math.ceil(limits.maxPermits * RESERVED_SHARE);
    this.#groupMax = limits.maxPermits - reserved;
    this.#memberMax = limits.maxPermits - 2 * reserved;
    this.#organizationMax = limits.maxPermits - 3 * reserved;
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Returns a permit, or a promise of one. The promise is rejected after waiting for too long. */
  acquire(member: Member, isAbandoned: () => boolean = () => false): Promise<Permit> | Permit {
    const task = this.#getTask(member);
    // Nobody else waits who may have a permit that is free.
    if (this.#permits < this.#limits.maxPermits && this.#mayHaveMore(task)) return this.#grant(task);
    return new Promise((start, reject) => {
      this.#wait({ task, since: performance.now(), isAbandoned, start, reject });
    });
  }

  #mayHaveMore({ member, organization, names }: Task): boolean {
    if (names.organization && organization.permits >= this.#organizationMax) return false;
    return member.permits < member.maxPermits && member.group.permits < this.#groupMax;
  }

  #grant(task: Task): Permit {
    this.#count(task, 1);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#count(task, -1);
        this.#forgetIfIdle(task);
        this.#grantToWaiting();
      },
    };
  }

  #count(task: Task, permits: 1 | -1): void {
    for (const holder of [task, task.organization, task.member, task.member.group]) holder.permits += permits;
    this.#permits += permits;
  }

  #getTask({ isCapped, ...given }: Member): Task {
    const names = { organization: "", ...given };
    const group = getEntry(this.#groups, names.group, newGroup);
    const maxPermits = isCapped ? Math.max(this.#memberShare, MIN_OF_CAPPED) : this.#memberMax;
    const member = getEntry(group.members, names.name, () => newMember(group, maxPermits));
    return getEntry(member.tasks, names.organization, () => {
      const organization = getEntry(group.organizations, names.organization, () => ({ permits: 0, tasks: 0 }));
      organization.tasks++;
      return { permits: 0, member, organization, names, waiting: [] };
    });
  }

  #forgetIfIdle({ permits, member, organization, names, waiting }: Task): void {
    if (permits > 0 || waiting.length > 0) return;
    const { group, tasks } = member;
    tasks.delete(names.organization);
    if (--organization.tasks === 0) group.organizations.delete(names.organization);
    if (tasks.size === 0) group.members.delete(names.name);
    if (group.members.size === 0) this.#groups.delete(names.group);
  }

  #wait(caller: Waiting): void {
    const { task } = caller;
    task.waiting.push(caller);
    task.member.queue.add(task);
    task.member.group.queue.add(task.member);
    this.#queue.add(task.member.group);
    this.#waiting.add(caller);
    this.#sweep ??= setInterval(() => this.#rejectOldest(), SWEEP_INTERVAL_MS);
    const [oldest] = this.#waiting;
    if (oldest && this.#waiting.size > this.#limits.maxWaiting) this.#reject(oldest);
  }

  #grantToWaiting(): void {
    while (this.#permits < this.#limits.maxPermits) {
      const next = this.#next();
      if (!next) return;
      const permit = next.isAbandoned() ? undefined : this.#grant(next.task);
      this.#remove(next);
      if (permit) next.start(permit);
      else next.reject(this.#error);
    }
  }

  #next(): Waiting | undefined {
    const hasTask = ({ queue }: MemberState) => queue.values().some((task) => this.#mayHaveMore(task));
    const group = takeTurn(this.#queue, this.#groupShare, ({ queue }) => queue.values().some(hasTask));
    const member = group && takeTurn(group.queue, this.#memberShare, hasTask);
    const task = member && takeTurn(member.queue, this.#memberShare, (each) => this.#mayHaveMore(each));
    return task?.waiting.at(this.#limits.isNewestFirst ? -1 : 0);
  }

  /** Removes a caller that is the oldest or the newest of its task. */
  #remove(caller: Waiting): void {
    const { member, waiting } = caller.task;
    const { group } = member;
    this.#waiting.delete(caller);
    if (waiting[0] === caller) waiting.shift();
    else waiting.pop();
    if (waiting.length === 0) member.queue.delete(caller.task);
    if (member.queue.size === 0) group.queue.delete(member);
    if (group.queue.size === 0) this.#queue.delete(group);
    this.#forgetIfIdle(caller.task);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #rejectOldest(): void {
    const arrivedBefore = performance.now() - this.#limits.maxWaitMs;
    let swept = 0;
    for (const caller of this.#waiting) {
      if (caller.since > arrivedBefore || ++swept > MAX_SWEPT) return;
      this.#reject(caller);
    }
  }

  #reject(caller: Waiting): void {
    this.#remove(caller);
    caller.reject(this.#error);
  }
}

function newGroup(): GroupState {
  return { permits: 0, members: new Map(), organizations: new Map(), queue: new Set() };
}

function newMember(group: GroupState, maxPermits: number): MemberState {
  return { permits: 0, group, maxPermits, tasks: new Map(), queue: new Set() };
}

/** Returns the entry of a map; creates it if missing. */
function getEntry<Entry>(map: Map<string, Entry>, key: string, create: () => Entry): Entry {
  const known = map.get(key);
  if (known !== undefined) return known;
  const entry = create();
  map.set(key, entry);
  return entry;
}

/**
 * Returns the first of those in a queue that may have more which has less than its share, or else their first, and
 * moves it behind the others. Skips few, because the shares of those are all permits.
 */
function takeTurn<Item extends Holder>(
  queue: Set<Item>,
  share: number,
  mayHaveMore: (item: Item) => boolean,
): Item | undefined {
  let next: Item | undefined;
  for (const item of queue) {
    if (!mayHaveMore(item)) continue;
    next ??= item;
    if (item.permits >= share) continue;
    next = item;
    break;
  }
  if (next && queue.delete(next)) queue.add(next);
  return next;
}
