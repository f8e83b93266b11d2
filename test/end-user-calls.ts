import {
  anyPair,
  anyVisibility,
  contextFields,
  DOCUMENTS,
  ORGANIZATIONS,
  USERS,
  visibilityField,
} from "./end-user-backend.ts";
import {
  type Annotation,
  type AnnotationFields,
  type EndUserModel,
  getNewest,
  includes,
  type Place,
  type Role,
} from "./end-user-model.ts";
import { byId, type Call, type Outcome, readAnnotation, readComments, readItems, toView } from "./end-user-views.ts";
import type { Random } from "./random.ts";

const ANNOTATIONS = "/v2/commentannotations";
/** ID of a comment that no annotation has. */
const MISSING_COMMENT = 999_999_999;

/** Makes calls of users at random about the annotations of a model. */
export class EndUserCalls {
  readonly #random: Random;
  readonly #model: EndUserModel;
  #written = 0;

  constructor(random: Random, model: EndUserModel) {
    this.#random = random;
    this.#model = model;
  }

  next(user: string): Call {
    const [organizationId, otherId] = [this.#random.one(ORGANIZATIONS), this.#random.one(DOCUMENTS)];
    const known = this.#model.annotations.filter((one) => one.organizationId === organizationId);
    const assigned = known.filter(({ assignee }) => assignee === user);
    const among = assigned.length > 0 && this.#random.chance(0.3) ? assigned : known;
    const annotation = among.length > 0 ? this.#random.one(among) : undefined;
    // Another document than that of the annotation is named now and then.
    const documentId = this.#random.chance(0.8) ? (annotation?.documentId ?? otherId) : otherId;
    const place = { organizationId, documentId };
    if (!annotation || known.length < 4) return this.#add(user, place);
    const acts = [
      ...[this.#add, this.#get, this.#get, this.#getComments, this.#count, this.#markRead, this.#comment],
      ...[
        this.#changeComments,
        this.#changeComments,
        this.#update,
        this.#update,
        this.#update,
        this.#remove,
        this.#react,
      ],
    ];
    return this.#random.one(acts).call(this, user, place, annotation);
  }

  /** Returns a call about a document, whose outcome is that of `apply` if the user has the role. */
  #call(
    user: string,
    path: string,
    place: Place,
    request: object,
    { needed, apply, read }: { needed: Role; apply: (model: EndUserModel) => Outcome; read: Call["read"] },
  ): Call {
    return {
      ...{ user, path, request: { ...place, ...request }, read },
      apply(model) {
        const role = model.getRole(user, place.organizationId, place.documentId);
        return includes(role, needed) ? apply(model) : { requiredRole: needed };
      },
    };
  }

  #get(user: string, place: Place): Call {
    const { organizationId, documentId } = place;
    return this.#call(
      user,
      `${ANNOTATIONS}/get`,
      place,
      {},
      {
        needed: "viewer",
        apply: (model) => ({
          data: {
            role: model.getRole(user, organizationId, documentId),
            annotations: model.seenIn(user, organizationId, documentId).map(toView).sort(byId),
          },
        }),
        read: ({ data, accessRole }) => ({
          role: accessRole,
          annotations: Array.from(Object(data), readAnnotation).sort(byId),
        }),
      },
    );
  }

  #getComments(user: string, place: Place, { id }: Annotation): Call {
    return this.#call(
      user,
      `${ANNOTATIONS}/comments/get`,
      place,
      { annotationId: id },
      {
        needed: "viewer",
        apply: (model) => {
          const annotation = model.findSeen(user, place, id);
          return { data: annotation ? toView(annotation).comments : [] };
        },
        read: ({ data }) => readComments(data),
      },
    );
  }

  #count(user: string, { organizationId, documentId }: Place): Call {
    const request = { documentId: undefined, documentIds: [documentId] };
    return this.#call(user, `${ANNOTATIONS}/count/get`, { organizationId, documentId }, request, {
      needed: "viewer",
      apply: (model) => {
        const total = model.seenIn(user, organizationId, documentId).length;
        return { data: { total, unread: model.unreadIn(user, organizationId, documentId).length } };
      },
      read: ({ data }) => Object(data)[documentId],
    });
  }

  #markRead(user: string, place: Place, { id }: Annotation): Call {
    return this.#call(
      user,
      `${ANNOTATIONS}/read`,
      place,
      { annotationIds: [id] },
      {
        needed: "viewer",
        apply: (model) => {
          const unread = model.unreadIn(user, place.organizationId, place.documentId).filter((one) => one.id === id);
          for (const one of unread) one.readUpTo.set(user, getNewest(one));
          return { data: unread.length };
        },
        read: ({ data }) => Object(data).readCount,
      },
    );
  }

  #add(user: string, place: Place): Call {
    const [id, commentId] = [`annotation-${++this.#written}`, ++this.#written];
    const text = `${user} ${place.organizationId} ${place.documentId} ${id}`;
    const [visibility, pair] = [anyVisibility(this.#random), anyPair(this.#random)];
    const assignee = this.#random.chance(0.5) ? this.#random.one(USERS) : undefined;
    const commentData = [{ commentId, commentText: text }];
    const fields = { ...visibilityField(visibility, place), ...contextFields(pair) };
    const assigned = assignee && { assignedTo: { userId: assignee } };
    const commentAnnotations = [{ annotationId: id, commentData, ...fields, ...assigned }];
    return this.#call(
      user,
      `${ANNOTATIONS}/add`,
      place,
      { commentAnnotations },
      {
        needed: "commenter",
        apply: (model) => {
          const comment = model.newComment(user, text);
          const comments = new Map([[commentId, comment]]);
          const others = { assignee, priority: undefined, resolvedBy: undefined, isResolved: false };
          const readUpTo = new Map([[user, comment.sequence]]);
          model.annotations.push({ id, ...place, author: user, visibility, pair, comments, readUpTo, ...others });
          return { data: { [id]: "done" } };
        },
        read: ({ data }) => readItems(data),
      },
    );
  }

  #comment(user: string, place: Place, { id }: Annotation): Call {
    const commentId = ++this.#written;
    const text = `${user} comment ${commentId}`;
    const request = { annotationId: id, commentData: [{ commentId, commentText: text }] };
    return this.#call(user, `${ANNOTATIONS}/comments/add`, place, request, {
      needed: "commenter",
      apply: (model) => {
        const annotation = model.findSeen(user, place, id);
        if (!annotation) return { error: "NOT_FOUND" };
        const comment = model.newComment(user, text);
        annotation.comments.set(commentId, comment);
        annotation.readUpTo.set(user, comment.sequence);
        return { data: [commentId] };
      },
      read: ({ data }) => data,
    });
  }

  /** Updates or deletes comments, those that the model has at present and one that is missing. */
  #changeComments(user: string, place: Place, { id, comments }: Annotation): Call {
    const isUpdate = this.#random.chance(0.6);
    const text = `${user} changed ${++this.#written}`;
    const commentIds = [...comments.keys(), MISSING_COMMENT];
    const request = { annotationId: id, commentIds, ...(isUpdate && { updatedData: { commentText: text } }) };
    return this.#call(user, `${ANNOTATIONS}/comments/${isUpdate ? "update" : "delete"}`, place, request, {
      needed: "commenter",
      apply: (model) => {
        const annotation = model.findSeen(user, place, id);
        const role = model.getRole(user, place.organizationId, place.documentId);
        const change = (commentId: number) => {
          const comment = annotation?.comments.get(commentId);
          if (!comment) return "missing";
          if (comment.author !== user && role !== "moderator") return "moderator";
          const editor = comment.author === user ? undefined : user;
          if (isUpdate) annotation?.comments.set(commentId, { ...comment, text, editor });
          else annotation?.comments.delete(commentId);
          return "done";
        };
        return { data: Object.fromEntries(commentIds.map((commentId) => [commentId, change(commentId)])) };
      },
      read: ({ data }) => readItems(data),
    });
  }

  #update(user: string, place: Place, { id }: Annotation): Call {
    const all: AnnotationFields = {
      isResolved: this.#random.chance(0.6),
      assignee: this.#random.one(USERS),
      priority: `priority ${++this.#written}`,
      visibility: anyVisibility(this.#random),
    };
    const first = this.#random.one(["isResolved", "isResolved", "assignee", "priority", "visibility"] as const);
    const second = this.#random.chance(0.3) ? this.#random.one(["isResolved", "priority"] as const) : first;
    const names = [...new Set([first, second])];
    const sent = {
      ...(names.includes("isResolved") && { status: { type: all.isResolved ? "terminal" : "default" } }),
      ...(names.includes("assignee") && { assignedTo: { userId: all.assignee } }),
      ...(names.includes("priority") && { priority: all.priority }),
      ...(names.includes("visibility") && visibilityField(all.visibility, place)),
    };
    return this.#call(
      user,
      `${ANNOTATIONS}/update`,
      place,
      { annotationIds: [id], updatedData: sent },
      {
        needed: "viewer",
        apply: (model) => {
          const annotation = model.findSeen(user, place, id);
          if (!annotation) return { data: { [id]: "missing" } };
          const needed = model.getUpdatingRole(user, annotation, names);
          const role = model.getRole(user, place.organizationId, place.documentId);
          if (!includes(role, needed)) return { data: { [id]: needed } };
          Object.assign(annotation, Object.fromEntries(names.map((name) => [name, all[name]])));
          if (names.includes("isResolved")) annotation.resolvedBy = all.isResolved ? user : undefined;
          return { data: { [id]: "done" } };
        },
        read: ({ data }) => readItems(data),
      },
    );
  }

  #remove(user: string, place: Place, { id }: Annotation): Call {
    return this.#call(
      user,
      `${ANNOTATIONS}/delete`,
      place,
      { annotationIds: [id] },
      {
        needed: "commenter",
        apply: (model) => {
          const annotation = model.findSeen(user, place, id);
          if (!annotation) return { data: { [id]: "missing" } };
          const role = model.getRole(user, place.organizationId, place.documentId);
          if (annotation.author !== user && role !== "moderator") return { data: { [id]: "moderator" } };
          model.annotations = model.annotations.filter((one) => one !== annotation);
          return { data: { [id]: "done" } };
        },
        read: ({ data }) => readItems(data),
      },
    );
  }

  #react(user: string, place: Place, { id, comments }: Annotation): Call {
    const commentId = this.#random.one([...comments.keys(), MISSING_COMMENT]);
    const verb = this.#random.one(["add", "delete"] as const);
    const request = { annotationId: id, commentId, reaction: "👍" };
    return this.#call(user, `/v2/reactions/${verb}`, place, request, {
      needed: "commenter",
      apply: (model) => {
        const reactions = model.findSeen(user, place, id)?.comments.get(commentId)?.reactions;
        if (!reactions) return { error: "NOT_FOUND" };
        if (verb === "delete") return { data: reactions.delete(user) };
        reactions.add(user);
        return { data: true };
      },
      read: ({ data }) => Object(data).success,
    });
  }
}
